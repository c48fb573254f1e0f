/** Resolves when the work is done or the time is over, and leaves no timer behind. */
export async function within(work: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms).unref();
  });
  await Promise.race([work, over]);
  clearTimeout(timer);
}
