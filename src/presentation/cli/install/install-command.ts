import type { ClientFacts } from '../../../domain/client/client-facts.js';
import type { Result } from '../../../domain/result.js';
import type { ExitCode, Output } from '../output.js';
import { afterInstalling, cannot } from './install-notes.js';
import type { InstallOptions, OwnToolOptions } from './install-options.js';

interface ClientChange {
  readonly path: string;
  /** Set if the path leads elsewhere. */
  readonly link: { readonly at: string; readonly to: string } | undefined;
  /** Empty if nothing would change. */
  readonly diff: string;
  apply(): Promise<Result<void>>;
}

/** The command's dependencies. */
export interface InstallSurroundings {
  readonly client: string;
  readonly facts: ClientFacts;
  plan(own: OwnToolOptions): Promise<Result<readonly ClientChange[]>>;
  /** Asks the person at the terminal; undefined if there is none. */
  readonly ask: ((question: string) => Promise<boolean>) | undefined;
}

/** `castellan install CLIENT` and `castellan uninstall CLIENT`: shows the change, then applies it. */
export async function installCommand(
  surroundings: InstallSurroundings,
  what: 'install' | 'uninstall',
  options: InstallOptions,
  output: Output,
): Promise<ExitCode> {
  const { client, facts, plan, ask } = surroundings;
  const problem = what === 'install' ? cannot(client, facts, options) : undefined;
  if (problem !== undefined) {
    output.err(problem);
    return 2;
  }
  const own = what === 'install' ? await chosen(surroundings, options, output) : options;
  const planned = await plan(own);
  if (!planned.success) {
    output.err(planned.error);
    return 3;
  }
  const changes = planned.value.filter(({ diff }) => diff !== '');
  if (changes.length === 0) {
    const [first] = planned.value;
    const nothing = what === 'install' ? 'has it already' : `has no ${options.name}`;
    output.out(`${first?.path ?? client} ${nothing}.`);
    return 0;
  }
  for (const { diff } of changes) output.out(painted(diff, output));
  for (const change of changes) {
    const refused = await notAgreed(change, options, ask);
    if (refused === undefined) continue;
    output.err(`Nothing was written${refused.why}`);
    return refused.code;
  }
  for (const { apply, link, path } of changes) {
    const applied = await apply();
    if (!applied.success) {
      output.err(applied.error);
      return 1;
    }
    output.out(`${link?.to ?? path} written. Restart ${client}, or reload its servers.`);
  }
  if (what === 'install') for (const note of afterInstalling(client, facts, own)) output.out(note);
  return 0;
}

/** On a terminal, says which tools the client keeps and offers to switch them off. */
async function chosen(
  { facts, ask }: InstallSurroundings,
  { exclusive, hooks, yes }: InstallOptions,
  output: Output,
): Promise<OwnToolOptions> {
  const given = { ...(exclusive && { exclusive }), ...(hooks && { hooks }) };
  const { product, ownTools } = facts;
  if (exclusive || hooks || yes === true || ask === undefined) return given;
  if (facts.exclusive === undefined || ownTools === undefined) return given;
  output.out(`${product} keeps its own tools, to which the policy does not apply: ${ownTools}.`);
  return (await ask("Switch them off in the client, so that only Castellan's tools remain? [y/N] "))
    ? { exclusive: true }
    : given;
}

/** --yes agrees to the change, not to a link: a cloned project may have brought it. */
async function notAgreed(
  { path, link }: ClientChange,
  { yes, followLink }: InstallOptions,
  ask: InstallSurroundings['ask'],
): Promise<{ readonly code: ExitCode; readonly why: string } | undefined> {
  const linkAgreed = link === undefined || followLink === true;
  if (yes === true && linkAgreed) return undefined;
  const led =
    link === undefined ? '' : `${link.at} is a symbolic link to ${link.to}, which would be written. `;
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
