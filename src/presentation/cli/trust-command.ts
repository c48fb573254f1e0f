import type { TrustStore } from '../../application/ports/trust-store.js';
import type { ExitCode, Output } from './output.js';

/** `castellan trust [FILE]`: records the hash of each file as it is now. */
export async function trustCommand(
  files: readonly string[],
  trust: TrustStore,
  output: Output,
): Promise<ExitCode> {
  if (files.length === 0) {
    output.err('There is no policy or settings file here to trust. `castellan init` writes both.');
    return 1;
  }
  for (const file of files) {
    const trusted = await trust.trust(file);
    if (!trusted.success) {
      output.err(trusted.error);
      return 3;
    }
    output.out(`${file} is trusted as it is now (${trusted.value}).`);
  }
  output.out('See what it grants with `castellan policy check`.');
  return 0;
}
