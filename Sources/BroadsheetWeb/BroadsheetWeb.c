#include "BroadsheetWeb.h"

// #embed is of C23, which clang has in earlier standards, too.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char client_js[] = {
#embed "client.js"
};
static const unsigned char element_js[] = {
#embed "element.js"
};
static const unsigned char client_d_ts[] = {
#embed "client.d.ts"
};
static const unsigned char element_d_ts[] = {
#embed "element.d.ts"
};

static const BroadsheetWebFile files[] = {
    {"client.js", client_js, sizeof client_js},
    {"element.js", element_js, sizeof element_js},
    {"client.d.ts", client_d_ts, sizeof client_d_ts},
    {"element.d.ts", element_d_ts, sizeof element_d_ts},
};

size_t broadsheet_web_count(void) { return sizeof files / sizeof files[0]; }

BroadsheetWebFile broadsheet_web_file(size_t index) { return files[index]; }
