// The program `dinette`: a server in memory. It leaves RocksDB, the commands and files of tables to
// `dinette-full`.

#include "app/program.h"

int main(int count, char** words) {
  return dinette::app::run_program({words, words + count}, nullptr);
}
