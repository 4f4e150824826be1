#include "support/compiled_json.h"

DINETTE_EACH_JSON()
