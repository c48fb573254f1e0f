import type { TrustStore } from '../../application/ports/trust-store.js';
import { connectHelp } from './connect-help.js';
import type { ExitCode, Output } from './output.js';

/** A file that `init` makes. */
export interface InitFile {
  readonly path: string;
  readonly content: string;
  isThere(): Promise<boolean>;
  /** Replaces whatever stands under the name, a link included, and never writes through it. */
  write(content: string): Promise<void>;
}

export interface InitSurroundings {
  readonly files: readonly InitFile[];
  readonly trust: TrustStore;
  /** How a client starts this server. */
  readonly command: readonly string[];
  readonly workspace: string;
}

/** `castellan init`: all files or none; what it writes is trusted, because its user asked for it. */
export async function initCommand(
  { files, trust, command, workspace }: InitSurroundings,
  options: { readonly force?: boolean },
  output: Output,
): Promise<ExitCode> {
  const there: string[] = [];
  for (const file of files) if (await file.isThere()) there.push(file.path);
  if (there.length > 0 && options.force !== true) {
    output.err(
      `${there.join(' and ')} ${there.length === 1 ? 'is' : 'are'} there already. Nothing was written.`,
    );
    output.err('Use --force to overwrite, or `castellan trust` to accept what is there.');
    return 1;
  }
  for (const file of files) {
    await file.write(file.content);
    const trusted = await trust.trust(file.path);
    if (!trusted.success) {
      output.err(`${file.path} was written, but is not trusted: ${trusted.error}`);
      return 3;
    }
    output.out(`${file.path} written and trusted.`);
  }
  const [program = 'castellan', ...args] = command;
  output.out('');
  output.out(connectHelp(program, args, workspace));
  output.out('');
  output.out('Next: `castellan policy check` says in words what the policy grants. After you edit a file,');
  output.out(
    '`castellan trust` accepts the new content; a changed file only narrows the baseline until then.',
  );
  return 0;
}
