import type { Result } from '../../domain/result.js';
import type { ExitCode, Output } from './output.js';
import { keyEntryLine, withPrincipal } from './principal-entry.js';

export interface KeyAddOptions {
  readonly role: string;
  readonly write?: boolean;
}

export interface PolicyText {
  readonly path: string;
  readonly text: string;
}

export interface KeyAddSurroundings {
  /** Creates a key and its hash. */
  make(): { readonly key: string; readonly hash: string };
  /** The policy file of this workspace; undefined if there is none. */
  read(): Promise<PolicyText | undefined>;
  /** Replaces the file if the new text is a valid policy. */
  replace(policy: PolicyText): Promise<Result<undefined>>;
}

const NAME = /^\w[\w .@-]{0,63}$/;
const LOCAL =
  '- { match: { transport: [stdio, embedded] }, roles: [default] }   # programs on this machine, as before';

/**
 * `castellan key add NAME --role R`: creates a key, prints it once, and the line that the policy needs for
 * it.
 */
export async function keyAddCommand(
  surroundings: KeyAddSurroundings,
  name: string,
  { role, write }: KeyAddOptions,
  output: Output,
): Promise<ExitCode> {
  if (!NAME.test(name)) {
    output.err(`A name is 1 to 64 letters, digits, blanks and . _ @ -; got ${JSON.stringify(name)}.`);
    return 2;
  }
  const { key, hash } = surroundings.make();
  const line = keyEntryLine({ name, apiKeyHash: hash, role });
  const policy = await surroundings.read();
  const added = policy === undefined ? undefined : withPrincipal(policy.text, line);
  if (write === true && policy !== undefined && added !== undefined) {
    const replaced = await surroundings.replace({ ...policy, text: added });
    if (!replaced.success) {
      output.err(`${policy.path} stays as it was, and no key was made: ${replaced.error}`);
      return 3;
    }
  } else if (write === true) {
    output.err(
      `Nothing was written: ${policy?.path ?? 'this workspace'} has no list of principals to add to. The first principal takes the default role from all other callers, so add it by hand.`,
    );
  }
  output.out(
    `Key of ${name}: ${key}\n\nIt is not stored and cannot be shown again. Callers send it as Authorization: Bearer KEY.`,
  );
  if (write === true && added !== undefined) {
    output.out(`\n${policy?.path} has it now. If that file is trusted, trust it again: castellan trust`);
    return 0;
  }
  const first = added === undefined ? [`  ${LOCAL}`] : [];
  output.out(['\nIn the policy:\n', 'principals:', ...first, `  ${line}`].join('\n'));
  return write === true ? 1 : 0;
}
