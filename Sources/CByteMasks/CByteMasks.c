#include "CByteMasks.h"
