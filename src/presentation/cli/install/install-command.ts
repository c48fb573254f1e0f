import type { Result } from '../../../domain/result.js';
import type { ExitCode, Output } from '../output.js';

export interface InstallOptions {
  readonly scope?: 'project' | 'user';
  readonly name: string;
  readonly yes?: boolean;
  readonly print?: boolean;
  readonly followLink?: boolean;
}

interface ClientChange {
  readonly path: string;
  /** Set if the path leads elsewhere. */
  readonly link: { readonly at: string; readonly to: string } | undefined;
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
  const { path, link, diff, apply } = planned.value;
  if (diff === '') {
    output.out(what === 'install' ? `${path} has it already.` : `${path} has no ${options.name}.`);
    return 0;
  }
  output.out(painted(diff, output));
  const refused = await notAgreed(planned.value, options, ask);
  if (refused !== undefined) {
    output.err(`Nothing was written${refused.why}`);
    return refused.code;
  }
  const applied = await apply();
  if (!applied.success) {
    output.err(applied.error);
    return 1;
  }
  output.out(`${link?.to ?? path} written. Restart ${client}, or reload its servers.`);
  if (what === 'install') output.out('Then `castellan policy check` says what agents may do here.');
  return 0;
}

/** --yes answers for the change, not for a link: a cloned project may have brought it. */
async function notAgreed(
  { path, link }: ClientChange,
  { yes, followLink }: InstallOptions,
  ask: InstallSurroundings['ask'],
): Promise<{ readonly code: ExitCode; readonly why: string } | undefined> {
  const linkAgreed = link === undefined || followLink === true;
  if (yes === true && linkAgreed) return undefined;
  const led =
    link === undefined ? '' : `${link.at} is a symbolic link, and what is written goes to ${link.to}. `;
  if (ask === undefined) {
    const missing = [yes !== true && '--yes', !linkAgreed && '--follow-link'].filter((one) => one !== false);
    return {
      code: 2,
      why: `: there is no one to ask. ${led}Add ${missing.join(' and ')} to write ${link?.to ?? path}.`,
    };
  }
  return (await ask(`${led}Write this to ${link?.to ?? path}? [y/N] `)) ? undefined : { code: 1, why: '.' };
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
