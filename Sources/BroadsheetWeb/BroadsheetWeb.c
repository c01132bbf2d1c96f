#include "BroadsheetWeb.h"

// #embed is of C23, which clang has in earlier standards, too.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char client_js[] = {
#embed "client.js"
};
static const unsigned char element_js[] = {
#embed "element.js"
};
static const unsigned char catalog_js[] = {
#embed "catalog.js"
};
static const unsigned char client_d_ts[] = {
#embed "client.d.ts"
};
static const unsigned char element_d_ts[] = {
#embed "element.d.ts"
};

static const unsigned char openapi_json[] = {
#embed "openapi.json"
};

static const unsigned char inspector_html[] = {
#embed "inspector/inspector.html"
};
static const unsigned char inspector_css[] = {
#embed "inspector/inspector.css"
};
static const unsigned char inspector_js[] = {
#embed "inspector/inspector.js"
};
static const unsigned char common_js[] = {
#embed "inspector/common.js"
};
static const unsigned char devices_js[] = {
#embed "inspector/devices.js"
};
static const unsigned char playground_js[] = {
#embed "inspector/playground.js"
};
static const unsigned char icon_svg[] = {
#embed "inspector/icon.svg"
};
static const unsigned char samples_json[] = {
#embed "inspector/samples.json"
};

static const unsigned char starting_catalog[] = {
#embed "starting/catalog.json"
};
static const unsigned char starting_page_0[] = {
#embed "starting/page-0.json"
};
static const unsigned char starting_page_1[] = {
#embed "starting/page-1.json"
};
static const unsigned char starting_index[] = {
#embed "starting/index.html"
};
static const unsigned char starting_ci[] = {
#embed "starting/ci.yml"
};
static const unsigned char starting_readme[] = {
#embed "starting/README.md"
};

static const unsigned char swift_template[] = {
#embed "templates/swift.txt"
};
static const unsigned char kotlin_template[] = {
#embed "templates/kotlin.txt"
};
static const unsigned char typescript_template[] = {
#embed "templates/typescript.txt"
};

static const BroadsheetWebFile starting_files[] = {
    {"catalog.json", starting_catalog, sizeof starting_catalog},
    {"page-0.json", starting_page_0, sizeof starting_page_0},
    {"page-1.json", starting_page_1, sizeof starting_page_1},
    {"index.html", starting_index, sizeof starting_index},
    {"ci.yml", starting_ci, sizeof starting_ci},
    {"README.md", starting_readme, sizeof starting_readme},
};

static const BroadsheetWebFile files[] = {
    {"client.js", client_js, sizeof client_js},
    {"element.js", element_js, sizeof element_js},
    {"catalog.js", catalog_js, sizeof catalog_js},
    {"client.d.ts", client_d_ts, sizeof client_d_ts},
    {"element.d.ts", element_d_ts, sizeof element_d_ts},
    {"inspector/inspector.html", inspector_html, sizeof inspector_html},
    {"inspector/inspector.css", inspector_css, sizeof inspector_css},
    {"inspector/inspector.js", inspector_js, sizeof inspector_js},
    {"inspector/common.js", common_js, sizeof common_js},
    {"inspector/devices.js", devices_js, sizeof devices_js},
    {"inspector/playground.js", playground_js, sizeof playground_js},
    {"inspector/icon.svg", icon_svg, sizeof icon_svg},
    {"inspector/samples.json", samples_json, sizeof samples_json},
};

size_t broadsheet_web_count(void) { return sizeof files / sizeof files[0]; }

BroadsheetWebFile broadsheet_web_file(size_t index) { return files[index]; }

BroadsheetWebFile broadsheet_web_openapi(void) {
    return (BroadsheetWebFile){"openapi.json", openapi_json, sizeof openapi_json};
}

size_t broadsheet_starting_count(void) { return sizeof starting_files / sizeof starting_files[0]; }

BroadsheetWebFile broadsheet_starting_file(size_t index) { return starting_files[index]; }

BroadsheetWebFile broadsheet_swift_template(void) {
    return (BroadsheetWebFile){"swift.txt", swift_template, sizeof swift_template};
}

BroadsheetWebFile broadsheet_kotlin_template(void) {
    return (BroadsheetWebFile){"kotlin.txt", kotlin_template, sizeof kotlin_template};
}

BroadsheetWebFile broadsheet_typescript_template(void) {
    return (BroadsheetWebFile){"typescript.txt", typescript_template, sizeof typescript_template};
}
