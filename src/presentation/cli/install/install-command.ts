import type { Result } from '../../../domain/result.js';
import type { ExitCode, Output } from '../output.js';

export interface InstallOptions {
  readonly scope?: 'project' | 'user';
  readonly name: string;
  readonly yes?: boolean;
  readonly print?: boolean;
}

interface ClientChange {
  readonly path: string;
  /** Empty where nothing would change. */
  readonly diff: string;
  apply(): Promise<Result<void>>;
}

/** What a change of a client's settings needs. */
export interface InstallSurroundings {
  readonly client: string;
  plan(): Promise<Result<ClientChange>>;
  /** Asks the person at the terminal; undefined where there is none. */
  readonly ask: ((question: string) => Promise<boolean>) | undefined;
}

/** `castellan install CLIENT` and `castellan uninstall CLIENT`: shows what would change, then changes it. */
export async function installCommand(
  { client, plan, ask }: InstallSurroundings,
  what: 'install' | 'uninstall',
  options: InstallOptions,
  output: Output,
): Promise<ExitCode> {
  const planned = await plan();
  if (!planned.success) {
    output.err(planned.error);
    return 3;
  }
  const { path, diff, apply } = planned.value;
  if (diff === '') {
    output.out(what === 'install' ? `${path} has it already.` : `${path} has no ${options.name}.`);
    return 0;
  }
  output.out(painted(diff, output));
  if (options.yes !== true && ask === undefined) {
    output.err(`Nothing was written: there is no one to ask. Add --yes to write ${path}.`);
    return 2;
  }
  if (options.yes !== true && !(await ask?.(`Write this to ${path}? [y/N] `))) {
    output.err('Nothing was written.');
    return 1;
  }
  const applied = await apply();
  if (!applied.success) {
    output.err(applied.error);
    return 1;
  }
  output.out(`${path} written. Restart ${client}, or reload its servers.`);
  if (what === 'install') output.out('Then `castellan policy check` says what agents may do here.');
  return 0;
}

function painted(diff: string, output: Output): string {
  return diff
    .trimEnd()
    .split('\n')
    .map((line) => {
      if (line.startsWith('+') && !line.startsWith('+++')) return output.paint('green', line);
      return line.startsWith('-') && !line.startsWith('---') ? output.paint('red', line) : line;
    })
    .join('\n');
}
