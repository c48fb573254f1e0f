import type { ClientFacts } from '../../../domain/client/client-facts.js';
import type { OwnToolOptions } from './install-options.js';

/** Why the client's own tools cannot be handled as requested; undefined if they can. */
export function cannot(
  client: string,
  { product, ownTools, exclusive, hooks }: ClientFacts,
  wanted: OwnToolOptions,
): string | undefined {
  if ((wanted.exclusive || wanted.hooks) && ownTools === undefined)
    return `${product} has no file or shell tools of its own. Leave --exclusive and --hooks out.`;
  if (wanted.exclusive && exclusive === undefined) {
    const instead =
      hooks === undefined
        ? 'Switch them off in its own window, if it lets you.'
        : `Use \`castellan install ${client} --hooks\`: it then asks the policy before it uses them.`;
    return `No settings file of ${product} switches its own tools off (${ownTools}). ${instead}`;
  }
  if (wanted.hooks && hooks === undefined)
    return `${product} asks no program before it uses its own tools (${ownTools}), as far as we know. Leave --hooks out.`;
  return undefined;
}

/** The next steps for the user, and what the client can still do without the policy. */
export function afterInstalling(client: string, facts: ClientFacts, own: OwnToolOptions): readonly string[] {
  const { confirm, product, ownTools, left, hooks } = facts;
  const notes = [confirm, own.exclusive ? left : undefined];
  if (own.hooks && hooks !== undefined)
    notes.push(
      `Commands of ${product} itself are checked and not sandboxed: only execute_command runs in a sandbox. If the hook fails: ${hooks.failing}. Not asked about: ${hooks.missed}.`,
    );
  if (!own.exclusive && !own.hooks && ownTools !== undefined)
    notes.push(
      `${product} keeps its own tools, to which the policy does not apply: ${ownTools}. ${ways(client, facts)}`,
    );
  return [
    ...notes.filter((note) => note !== undefined),
    'Then `castellan policy check` says what agents may do here.',
  ];
}

function ways(client: string, { exclusive, hooks }: ClientFacts): string {
  const off =
    exclusive === undefined ? undefined : `\`castellan install ${client} --exclusive\` switches them off`;
  const asked =
    hooks === undefined ? undefined : `\`castellan install ${client} --hooks\` has the client ask the policy`;
  const all = [off, asked].filter((way) => way !== undefined).join('; ');
  return all === '' ? 'Castellan knows no way to change that.' : `${all}.`;
}
