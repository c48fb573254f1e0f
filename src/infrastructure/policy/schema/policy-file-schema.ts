import { SYSTEM_CALL_FILTERS } from '../../../domain/permission/policy/obligations.js';
import { SECRET_KINDS } from '../../../domain/redaction/secret-shapes.js';
import { anyValue } from '../../config/any-value-shape.js';
import { setOf } from '../../config/distinct-list-shape.js';
import {
  choice,
  described,
  flag,
  type JsonSchema,
  mapOf,
  mapped,
  record,
  type Shape,
  text,
  wholeNumber,
} from '../../config/yaml-shape.js';
import { addedPermissions } from './also-allow-shape.js';
import { checkPathForm, pathGlob } from './path-glob-shape.js';
import type {
  AuditEntry,
  ExpectedEffect,
  PolicyDocument,
  PolicyTest,
  RedactionPattern,
  RoleEntry,
  SandboxEntry,
} from './policy-document.js';
import { principal } from './principal-shapes.js';
import { named } from './rule-shapes.js';
import { network } from './settings-shapes.js';
import { settings, toolEntry } from './tool-entry-shape.js';
import { withGroups } from './tool-groups.js';

export const POLICY_VERSION = 1;

const folder: Shape<string> = mapped(text, (path, at, reading) =>
  /[*?[\]{}]/.test(path.replace(/\$\{(workspace|home)\}/g, ''))
    ? reading.report(
        at,
        `A sandbox shows whole folders; ${JSON.stringify(path)} has a wildcard.`,
        'Use hide for patterns.',
      )
    : checkPathForm(path, at, reading)
      ? path
      : undefined,
);

const noPrivileges: Shape<false> = {
  schema: { const: false },
  wants: 'false',
  read: (tree, reading) =>
    tree.kind === 'scalar' && tree.value === false
      ? false
      : reading.report(
          tree.at,
          'A sandbox never lets commands gain privileges, so new_privileges can only be false.',
          'Leave it out. What needs sudo is for a person to run, or for sandbox: none.',
        ),
};

interface SandboxFields {
  filesystem?: { read?: readonly string[]; write?: readonly string[]; hide?: readonly string[] };
  network?: SandboxEntry['network'] & {};
  seccomp?: SandboxEntry['seccomp'] & {};
  new_privileges?: false;
}

const sandbox: Shape<SandboxEntry> = mapped(
  record<SandboxFields>('a sandbox', {
    filesystem: record<NonNullable<SandboxFields['filesystem']>>('a map with read, write and hide', {
      read: setOf(folder),
      write: setOf(folder),
      hide: setOf(pathGlob),
    }),
    network,
    seccomp: described('unix_sockets: with unix sockets; none: no filter.', choice(...SYSTEM_CALL_FILTERS)),
    new_privileges: noPrivileges,
  }),
  ({ filesystem, ...rest }, at, reading) => ({ ...filesystem, ...rest, at: reading.position(at) }),
);

const role: Shape<RoleEntry> = mapped(
  record<Omit<RoleEntry, 'at'>>('a role', {
    inherits: setOf(named),
    tools: setOf(named),
    denied_tools: setOf(named),
  }),
  (fields, at, reading) => ({ ...fields, at: reading.position(at) }),
);

const redactionPattern: Shape<RedactionPattern> = mapped(
  record<{ name?: string; regex?: string; replace?: string }>(
    'a pattern with name and regex',
    { name: text, regex: text, replace: text },
    ['name', 'regex'],
  ),
  ({ name, regex, replace = `[${name}]` }, at, reading) =>
    name === undefined || regex === undefined
      ? undefined
      : { name, regex, replace, at: reading.position(at) },
);

const EFFECTS = ['allow', 'deny', 'ask', 'always', 'explicit'] as const satisfies readonly ExpectedEffect[];

const test: Shape<PolicyTest> = mapped(
  record<{
    name?: string;
    as?: { roles?: readonly string[] };
    tool?: string;
    args?: Readonly<Record<string, unknown>>;
    expect?: ExpectedEffect;
    reason?: string;
  }>(
    'a test',
    {
      name: text,
      as: record<{ roles?: readonly string[] }>('a map with roles', { roles: setOf(text) }),
      tool: text,
      args: mapOf(anyValue, 'a map of arguments'),
      expect: choice(...EFFECTS),
      reason: text,
    },
    ['tool', 'expect'],
  ),
  ({ name, as, tool, args = {}, expect, reason }, at, reading) =>
    tool === undefined || expect === undefined
      ? undefined
      : {
          name: name ?? `${tool} expects ${expect}`,
          tool,
          args,
          ...(as?.roles && { roles: as.roles }),
          expect,
          ...(reason !== undefined && { reason }),
          at: reading.position(at),
        },
);

const version: Shape<number> = mapped(wholeNumber(1), (number, at, reading) =>
  number <= POLICY_VERSION
    ? number
    : reading.report(
        at,
        `Version ${number} is newer than this server understands (${POLICY_VERSION}).`,
        'Update castellan.',
      ),
);

export const policyFile: Shape<PolicyDocument> = mapped(
  record<Omit<PolicyDocument, 'groups'> & { version?: number }>('a policy: a map', {
    version: described('Default: 1.', version),
    extends: described(
      'builtin:baseline (default), builtin:readonly, builtin:workspace, or a file.',
      setOf(named),
    ),
    defaults: described('For every tool whose entry says nothing else.', settings),
    sandboxes: mapOf(sandbox),
    principals: described(
      'Who the callers are. Absent: every authenticated caller has the role default.',
      setOf(principal),
    ),
    roles: mapOf(role),
    tools: described(
      'What each tool may do. A tool without an entry is refused.',
      mapOf(toolEntry, 'a map of tools'),
    ),
    also_allow: addedPermissions,
    redaction: record<NonNullable<PolicyDocument['redaction']>>('a map', {
      builtin: setOf(choice(...SECRET_KINDS)),
      patterns: setOf(redactionPattern),
      results: described('Redact results as well, not only logs and audit.', flag),
    }),
    audit: record<AuditEntry>('a map', {
      required_for: described('No record, no run.', setOf(named)),
      arguments: described(
        'What the audit keeps of arguments: paths and command lines (paths), types (shape), all, redacted (full), or only a hash (hashed); paths.',
        choice('hashed', 'shape', 'paths', 'full'),
      ),
    }),
    tests: described('Decisions this policy must take; proved when it loads.', setOf(test)),
  }),
  (document, _at, reading) => withGroups(document, reading),
);

/** What config/permissions.schema.json holds; editors complete and check policies with it. */
export function policyJsonSchema(): JsonSchema {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Castellan permission policy',
    ...policyFile.schema,
  };
}
