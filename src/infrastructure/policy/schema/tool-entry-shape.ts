import type { TokenRule } from '../../../domain/permission/policy/obligations.js';
import { setOf } from '../../config/distinct-list-shape.js';
import {
  choice,
  described,
  flag,
  mapOf,
  mapped,
  plainValue,
  type Reading,
  record,
  type Shape,
  wholeNumber,
} from '../../config/yaml-shape.js';
import type { TreePosition } from '../../config/yaml-tree.js';
import { duration } from '../../config/yaml-units.js';
import { NO_SANDBOX } from '../compile/merge-policies.js';
import { allowedCommand, deniedCommand } from './command-rule-shapes.js';
import { consent, toolConsent } from './consent-shape.js';
import { hostName } from './host-shape.js';
import { glob } from './path-glob-shape.js';
import type { BackgroundEntry, ConstraintEntry, Named, SettingsEntry, ToolEntry } from './policy-document.js';
import { allowedPath, deniedPath, named } from './rule-shapes.js';
import { breaker, environment, limits, network, rate, tokens } from './settings-shapes.js';

const number: Shape<number> = {
  schema: { type: 'number' },
  wants: 'a number',
  read: (tree, reading) =>
    tree.kind === 'scalar' && typeof tree.value === 'number'
      ? tree.value
      : reading.report(tree.at, 'Expected a number.'),
};

const constraint: Shape<ConstraintEntry> = mapped(
  record<Omit<ConstraintEntry, 'at'>>('constraints of an argument', {
    type: choice('string', 'number', 'integer', 'boolean', 'array', 'object'),
    const: plainValue,
    enum: setOf(plainValue),
    minimum: number,
    maximum: number,
    minLength: wholeNumber(0),
    maxLength: wholeNumber(0),
    maxItems: wholeNumber(0),
    pattern: described('RE2 syntax: no look-around, no back-reference.', named),
  }),
  (entry, at, reading) => {
    const { minimum, maximum, minLength, maxLength } = entry;
    const isEmpty = (low = Number.NEGATIVE_INFINITY, high = Number.POSITIVE_INFINITY): boolean => low > high;
    if (isEmpty(minimum, maximum) || isEmpty(minLength, maxLength)) {
      return reading.report(
        at,
        'No value keeps this constraint: the least is more than the most.',
        'Exchange them.',
      );
    }
    if (entry.const !== undefined && entry.enum !== undefined) {
      return reading.report(at, 'enum has no effect beside const.', 'Give one of them.');
    }
    return { ...entry, at: reading.position(at) };
  },
);

/** One of each in a file; more come together where files meet. */
type RawSettings = Omit<SettingsEntry, 'sandbox' | 'tokens'> & {
  readonly sandbox?: Named;
  readonly tokens?: TokenRule;
};

const settingsFields = {
  consent: described('Who is asked before a call runs.', consent),
  consent_unavailable: described('Refuse if the client cannot ask.', choice('deny')),
  sandbox: described('A name from sandboxes, or none on purpose.', named),
  sandbox_unavailable: choice('deny', 'none'),
  network: mapped(network, (value, at, reading) => ({ value, at: reading.position(at) })),
  env: environment,
  limits,
  rate: described('Calls within a time.', rate),
  tokens: described('What models may cost within a time, questions and answers together.', tokens),
  circuit_breaker: breaker,
};

function withLists<T extends Pick<RawSettings, 'sandbox' | 'tokens'>>(fields: T) {
  const { sandbox, tokens: cost, ...rest } = fields;
  return { ...rest, ...(sandbox && { sandbox: [sandbox] }), ...(cost && { tokens: [cost] }) };
}

export const settings: Shape<SettingsEntry> = mapped(
  record<RawSettings>('a map of defaults', settingsFields),
  (fields, at, reading) => {
    checkSandboxKeys(fields, at, reading);
    return withLists(fields);
  },
);

/** Without a sandbox nothing holds a command back from the network, and nothing can be missing. */
function checkSandboxKeys(fields: RawSettings, at: TreePosition, reading: Reading): void {
  if (fields.sandbox?.name !== NO_SANDBOX) return;
  if (fields.network?.value === 'none') {
    const hint = 'Name a sandbox, or write network: full beside sandbox: none, which is what it means.';
    reading.report(at, 'network: none has no effect without a sandbox.', hint);
  }
  if (fields.sandbox_unavailable !== undefined) {
    reading.report(at, 'sandbox_unavailable has no effect beside sandbox: none.', 'Leave one of them out.');
  }
}

const backgroundFields: Shape<BackgroundEntry> = mapped(
  record<{ max?: number; ttl?: number }>('a map with max and ttl, or false', {
    max: wholeNumber(1),
    ttl: described('A number is seconds; "30m" and "4h" work too.', duration),
  }),
  ({ max, ttl }) => ({ ...(max !== undefined && { max }), ...(ttl !== undefined && { ttlMs: ttl }) }),
);

const background: Shape<BackgroundEntry> = {
  schema: { anyOf: [{ const: false }, backgroundFields.schema] },
  wants: backgroundFields.wants,
  read: (tree, reading) =>
    tree.kind === 'scalar' && tree.value === false ? false : backgroundFields.read(tree, reading),
};

type RawEntry = RawSettings & Omit<ToolEntry, keyof SettingsEntry | 'at'> & { readonly timeout?: number };

export const toolEntry: Shape<ToolEntry> = mapped(
  record<RawEntry>('an entry: a map', {
    ...settingsFields,
    consent: described('Who is asked before a call runs; deny refuses in place of asking.', toolConsent),
    enabled: described('false: hidden and refused.', flag),
    allowed_commands: described('Programs that may run; ["*"] for any.', setOf(allowedCommand)),
    denied_commands: described('Programs that never run, by any name or wrapper.', setOf(deniedCommand)),
    shell: described(
      'full: any bash text, only with ["*"] in a real sandbox. static: pipes, lists, redirects, globs. none: one command.',
      mapped(choice('full', 'static', 'none'), (value, at, reading) => ({ value, at: reading.position(at) })),
    ),
    git_may_restore: described(
      'true: git alone may bring protected files to a content that the repository had before the server started.',
      flag,
    ),
    background: described(
      'Commands may run on after the answer: how many of a caller at once, and for how long. false: none.',
      background,
    ),
    allowed_paths: described(
      'Folders, files or patterns; what is below a folder is included.',
      setOf(allowedPath),
    ),
    denied_paths: described('Denied whatever else allows them.', setOf(deniedPath)),
    allowed_hosts: described(
      'Hosts of tools that name the host they reach; commands have network.',
      setOf(hostName),
    ),
    denied_hosts: setOf(hostName),
    allowed_models: described('Names or patterns of models; ["*"] for any.', setOf(glob)),
    arguments: mapOf(constraint),
    timeout: described(
      'Short for limits.timeout. With background, commands that outlive their answer have background.ttl instead.',
      duration,
    ),
  }),
  ({ timeout, ...fields }, at, reading) => {
    if (timeout !== undefined && fields.limits?.timeoutMs !== undefined) {
      return reading.report(at, 'timeout and limits.timeout are the same; give one of them.');
    }
    checkSandboxKeys(fields, at, reading);
    const bounds = timeout === undefined ? fields.limits : { ...fields.limits, timeoutMs: timeout };
    return { ...withLists(fields), ...(bounds && { limits: bounds }), at: reading.position(at) };
  },
);
