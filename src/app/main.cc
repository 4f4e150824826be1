// The program `dinette`. RocksDB is not linked into it, so that it starts faster and stays smaller.

#include "app/program.h"

int main(int count, char** words) {
  return dinette::app::run_program({words, words + count}, nullptr);
}
