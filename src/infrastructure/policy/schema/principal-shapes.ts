import { workspaceTemplateProblem } from '../../../domain/permission/policy/workspace-template.js';
import type { Caller } from '../../../domain/session/caller.js';
import { setOf } from '../../config/distinct-list-shape.js';
import { choice, described, mapOf, mapped, record, type Shape, text } from '../../config/yaml-shape.js';
import type { Named, PrincipalEntry } from './policy-document.js';
import { named } from './rule-shapes.js';

interface PrincipalFields {
  match?: {
    transport?: readonly Caller['transport'][];
    issuer?: string;
    claim?: Readonly<Record<string, string>>;
    api_key?: string;
  };
  roles?: readonly Named[];
  workspace?: string;
  name?: string;
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

const principalName: Shape<string> = described(
  'What logs, audit and metrics call these callers.',
  mapped(text, (name, at, reading) =>
    /^[\w][\w .@-]{0,63}$/.test(name)
      ? name
      : reading.report(at, 'A name is 1 to 64 letters, digits, blanks and . _ @ -'),
  ),
);

export const principal: Shape<PrincipalEntry> = mapped(
  record<PrincipalFields>('a principal', { name: principalName, match, roles: setOf(named), workspace }, [
    'match',
    'roles',
  ]),
  ({ match: wanted, roles, workspace: folder, name }) =>
    wanted === undefined || roles === undefined
      ? undefined
      : {
          ...wanted,
          roles,
          ...(folder !== undefined && { workspace: folder }),
          ...(name !== undefined && { name }),
        },
);
