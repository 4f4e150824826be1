// The program `dinette-durable`: `dinette` with RocksDB, which takes over when there is a data folder.

#include "dinette/kv/data_folder.h"

#include "app/program.h"

int main(int count, char** words) {
  return dinette::app::run_program({words, words + count}, &dinette::kv::open_data_folder);
}
