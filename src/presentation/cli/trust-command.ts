import type { TrustStore } from '../../application/ports/permission/trust-store.js';
import type { ExitCode, Output } from './output.js';

/** `castellan trust [FILE]`: records the hashes of the files as they are now, all or none. */
export async function trustCommand(
  files: readonly string[],
  trust: TrustStore,
  output: Output,
): Promise<ExitCode> {
  if (files.length === 0) {
    output.err('There is no policy or settings file here to trust. `castellan init` writes both.');
    return 1;
  }
  const trusted = await trust.trust(...files);
  if (!trusted.success) {
    output.err(trusted.error);
    return 3;
  }
  for (const [index, file] of files.entries()) {
    output.out(`${file} is trusted as it is now (${trusted.value[index]}).`);
  }
  output.out('See what it grants with `castellan policy check`.');
  return 0;
}
