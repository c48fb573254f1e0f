import { SYSTEM_CALL_FILTERS } from '../../../domain/permission/policy/obligations.js';
import { workspaceTemplateProblem } from '../../../domain/permission/policy/workspace-template.js';
import { SECRET_KINDS } from '../../../domain/redaction/secret-shapes.js';
import type { Caller } from '../../../domain/session/caller.js';
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
  Named,
  PolicyDocument,
  PolicyTest,
  PrincipalEntry,
  RedactionPattern,
  RoleEntry,
  SandboxEntry,
} from './policy-document.js';
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

interface PrincipalFields {
  match?: {
    transport?: readonly Caller['transport'][];
    issuer?: string;
    claim?: Readonly<Record<string, string>>;
    api_key?: string;
  };
  roles?: readonly Named[];
  workspace?: string;
}

const apiKey: Shape<string> = mapped(text, (key, at, reading) =>
  /^sha256:[0-9a-f]{64}$/.test(key)
    ? key
    : reading.report(
        at,
        'An api_key is its hash: sha256: and 64 hexadecimal digits.',
        'Never write the key itself.',
      ),
);

const matchFields = record<NonNullable<PrincipalFields['match']>>(
  'a map with transport, issuer, claim or api_key',
  {
    transport: setOf(choice('stdio', 'embedded', 'http')),
    issuer: text,
    claim: mapOf(text),
    api_key: apiKey,
  },
);

/** An empty match would be everybody. */
const match: typeof matchFields = {
  ...matchFields,
  read: (tree, reading) =>
    tree.kind === 'map' && tree.entries.length === 0
      ? reading.report(tree.at, 'A principal must say whom it matches.', `Give ${matchFields.wants}.`)
      : matchFields.read(tree, reading),
};

const workspace: Shape<string> = described(
  "The folder of these callers over HTTP, below the server's workspace or absolute; ${claim.NAME} and ${id} stand for the caller's own.",
  mapped(text, (template, at, reading) => {
    const problem = workspaceTemplateProblem(template);
    return problem === undefined ? template : reading.report(at, problem);
  }),
);

const principal: Shape<PrincipalEntry> = mapped(
  record<PrincipalFields>('a principal', { match, roles: setOf(named), workspace }, ['match', 'roles']),
  ({ match: wanted, roles, workspace: folder }) =>
    wanted === undefined || roles === undefined
      ? undefined
      : { ...wanted, roles, ...(folder !== undefined && { workspace: folder }) },
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
    version: described('Absent means 1.', version),
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
      arguments: choice('hashed', 'shape', 'full'),
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
