import {
  type BreakerRule,
  type Limits,
  NETWORKS,
  type Network,
  type RateRule,
  type TokenRule,
} from '../../../domain/permission/policy/obligations.js';
import { setOf } from '../../config/distinct-list-shape.js';
import {
  choice,
  described,
  mapOf,
  mapped,
  record,
  type Shape,
  text,
  wholeNumber,
} from '../../config/yaml-shape.js';
import { duration, type Frequency, frequency, size } from '../../config/yaml-units.js';
import type { EnvironmentEntry } from './policy-document.js';

export const network: Shape<Network> = described(
  'none; hosts: those of allowed_hosts; full: everything, this machine included.',
  choice(...NETWORKS),
);

interface LimitFields {
  timeout?: number;
  max_input_bytes?: number;
  max_output_bytes?: number;
  max_file_bytes?: number;
  memory?: number;
  processes?: number;
  open_files?: number;
  disk?: number;
  concurrency?: number;
}

export const limits: Shape<Limits> = mapped(
  record<LimitFields>('a map of limits', {
    timeout: described('A number is seconds; "500ms" and "2m" work too.', duration),
    max_input_bytes: size,
    max_output_bytes: described('The rest is cut and marked.', size),
    max_file_bytes: size,
    memory: size,
    processes: wholeNumber(1),
    open_files: wholeNumber(1),
    disk: described('What the commands of a session may write in /tmp, their home and the workspace.', size),
    concurrency: described('Calls at once, for each instance and tool.', wholeNumber(1)),
  }),
  (fields) => ({
    ...(fields.timeout !== undefined && { timeoutMs: fields.timeout }),
    ...(fields.max_input_bytes !== undefined && { maxInputBytes: fields.max_input_bytes }),
    ...(fields.max_output_bytes !== undefined && { maxOutputBytes: fields.max_output_bytes }),
    ...(fields.max_file_bytes !== undefined && { maxFileBytes: fields.max_file_bytes }),
    ...(fields.memory !== undefined && { memoryBytes: fields.memory }),
    ...(fields.processes !== undefined && { processes: fields.processes }),
    ...(fields.open_files !== undefined && { openFiles: fields.open_files }),
    ...(fields.disk !== undefined && { diskBytes: fields.disk }),
    ...(fields.concurrency !== undefined && { concurrency: fields.concurrency }),
  }),
);

interface RateFields {
  per?: RateRule['per'];
  limit?: Frequency;
  burst?: number;
  on_store_failure?: RateRule['onStoreFailure'];
}

export const rate: Shape<RateRule> = mapped(
  record<RateFields>(
    'a rate such as { limit: 120/min }',
    {
      per: choice('principal', 'instance'),
      limit: frequency,
      burst: wholeNumber(1),
      on_store_failure: described(
        'Where several instances count in Redis and it is away. local: each counts by itself. deny: refused.',
        choice('local', 'deny'),
      ),
    },
    ['limit'],
  ),
  ({ per = 'principal', limit, burst, on_store_failure: onStoreFailure }) =>
    limit && {
      per,
      ...limit,
      ...(burst !== undefined && { burst }),
      ...(onStoreFailure && { onStoreFailure }),
    },
);

interface TokenFields {
  per?: TokenRule['per'];
  limit?: Frequency;
  on_store_failure?: TokenRule['onStoreFailure'];
}

export const tokens: Shape<TokenRule> = mapped(
  record<TokenFields>(
    'a limit of tokens such as { limit: 200000/h }',
    {
      per: choice('principal', 'instance'),
      limit: frequency,
      on_store_failure: described(
        'Where the count cannot be kept in the state folder. local: counted in the process alone. deny: refused.',
        choice('local', 'deny'),
      ),
    },
    ['limit'],
  ),
  ({ per = 'principal', limit, on_store_failure: onStoreFailure = 'local' }) =>
    limit && { per, ...limit, onStoreFailure },
);

interface BreakerFields {
  failures?: number;
  open_for?: number;
}

export const breaker: Shape<BreakerRule> = mapped(
  record<BreakerFields>('a circuit breaker', { failures: wholeNumber(1), open_for: duration }),
  ({ failures = 5, open_for: openForMs = 30_000 }) => ({ failures, openForMs }),
);

const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;

export const variable: Shape<string> = mapped(text, (name, at, reading) =>
  VARIABLE.test(name) ? name : reading.report(at, `${JSON.stringify(name)} is not the name of a variable.`),
);

export const environment: Shape<EnvironmentEntry> = mapped(
  record<{
    pass?: readonly string[];
    set?: Readonly<Record<string, string>>;
    accept?: readonly string[];
  }>('a map with pass, set and accept', {
    pass: described("Variables handed on from the server's own environment.", setOf(variable)),
    set: described('Variables with the values given here.', mapOf(text)),
    accept: described('Variables that the caller may set.', setOf(variable)),
  }),
  (fields, at, reading) => {
    const both = (fields.pass ?? []).find((name) => Object.hasOwn(fields.set ?? {}, name));
    if (both !== undefined) {
      reading.report(
        at,
        `${both} is passed and set; the value that is set holds.`,
        'Take it out of pass or of set.',
      );
    }
    if (fields.accept?.includes('PATH') === true) {
      const hint = 'Write set: { PATH: … }, which holds for every call.';
      reading.report(at, 'PATH in accept has no effect: a caller must not choose other programs.', hint);
    }
    return fields;
  },
);
