// wcwidth is no part of plain POSIX, and knows Unicode only in a locale that does.
#define _XOPEN_SOURCE 700
#include "columns.h"

#include <locale.h>
#include <pthread.h>
#include <wchar.h>

static locale_t unicode;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void find_unicode(void) { unicode = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0); }

int crosspoint_columns(uint32_t scalar) {
  pthread_once(&once, find_unicode);
  if (unicode == (locale_t)0) return 1;
  locale_t before = uselocale(unicode);
  int columns = wcwidth((wchar_t)scalar);
  uselocale(before);
  return columns < 0 ? 0 : columns;
}
