/** What changed, as `diff -u` shows it; empty where nothing did. */
export async function unifiedDiff(path: string, before: string, after: string): Promise<string> {
  if (before === after) return '';
  const { createTwoFilesPatch } = await import('diff');
  const patch = createTwoFilesPatch(path, path, before, after, undefined, undefined, {
    context: 3,
    timeout: 2000,
  });
  // The library gives up on texts without anything in common; then the whole file changed.
  return patch ?? `--- ${path}\n+++ ${path}\n(the whole file was replaced)\n`;
}
