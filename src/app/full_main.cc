// The program `dinette-full`, which takes over when `dinette` is asked for what it does not have.

#include "dinette/kv/data_folder.h"

#include "app/first_tables.h"
#include "app/program.h"
#include "app/run_command.h"

int main(int count, char** words) {
  constexpr dinette::app::FullProgram full{.open_data_folder = &dinette::kv::open_data_folder,
                                           .make_first_tables = &dinette::app::make_first_tables,
                                           .run_command = &dinette::app::run_command};
  return dinette::app::run_program({words, words + count}, &full);
}
