/** Folders in which package runners keep what they run once; they are emptied without notice. */
const PASSING = /[\\/](?:_npx|dlx(?:-[^\\/]*)?|bunx-[^\\/]*)[\\/]/;

/** How a client starts this very program again: where it lies, unless that is a cache. */
export function startCommand(script: string | undefined): readonly [string, ...string[]] {
  if (script === undefined) return ['castellan'];
  return PASSING.test(script) ? ['npx', '-y', 'castellan'] : ['node', script];
}
