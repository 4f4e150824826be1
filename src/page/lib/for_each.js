const atOnce = 8;

/**
 * Does `work` for each element, a few at a time. `onDone` gets how many are done. When one throws, no other begins; what it has thrown is
 * thrown when those that had begun are done.
 */
export async function forEach(list, work, onDone = () => {}, isStopped = () => false) {
  let next = 0;
  let done = 0;
  let failure;
  const lane = async () => {
    while (next < list.length && !failure && !isStopped()) {
      try {
        await work(list[next++]);
        onDone(++done);
      } catch (error) {
        failure ??= error;
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  if (failure) throw failure;
}
