// The program `dinette-full`, which takes over when `dinette` is asked for what it does not have.

#include "dinette/kv/data_folder.h"
#include "dinette/kv/postgres.h"

#include "app/first_tables.h"
#include "app/program.h"
#include "app/run_command.h"

int main(int count, char** words) {
  constexpr dinette::app::FullProgram full{
      .openers = {&dinette::kv::open_data_folder, &dinette::kv::open_postgres},
      .make_first_tables = &dinette::app::make_first_tables,
      .run_command = &dinette::app::run_command};
  return dinette::app::run_program({words, words + count}, &full);
}
