import { expect } from 'chai';
import fc from 'fast-check';
import type { CanonicalRequest, Decision } from '../../../../src/domain/permission/policy/decision.js';
import { PermissionPolicy } from '../../../../src/domain/permission/policy/permission-policy.js';
import type { PolicyLayer } from '../../../../src/domain/permission/policy/policy-layer.js';
import { LOCAL_STDIO } from '../../../../src/domain/session/caller.js';
import { compilePolicy } from '../../../../src/infrastructure/policy/compile/compile-policy.js';
import type {
  PolicyDocument,
  ToolEntry,
} from '../../../../src/infrastructure/policy/schema/policy-document.js';
import { callOf, decideCall, policyOf, surroundings } from '../../../support/policy-bench.js';

const REQUESTS = 20;
// Each run compares at least one pair of decisions for each request; five properties share the figure.
const RUNS = process.env.CASTELLAN_LONG === '1' ? 10_000 : 50;
const TOOLS = ['read_file', 'write_file', 'copy_path', 'list_directory', 'execute_command'] as const;

const at = { file: 'p', line: 1, column: 1 };
const name = fc.constantFrom(
  'a',
  'b',
  'ab',
  'a-b',
  '.env',
  'x.key',
  'output',
  'output-evil',
  '.git',
  'etc',
  'tmp',
);
const path = fc
  .array(name, { minLength: 0, maxLength: 4 })
  .chain((names) =>
    fc
      .constantFrom(`/${names.join('/')}`, `/workspace/${names.join('/')}`)
      .map((text) => text.replace(/(.)\/$/, '$1')),
  );
const pattern = fc.oneof(
  path,
  name.map((text) => `./${text}`),
  name.map((text) => `**/${text}`),
  name.map((text) => `${text}/*`),
  name.map((text) => `**/${text}*`),
  name.map((text) => `**/${text}/**`),
  fc.tuple(name, name).map(([first, second]) => `**/{${first},${second}}/*`),
  fc.constantFrom('.', '*', '**/*.key', '**/.env*', '[ab]*', 'a?'),
);
const consent = fc.option(
  fc.constantFrom('never' as const, 'ask' as const, 'always' as const, 'explicit' as const),
  {
    nil: undefined,
  },
);
const allowedPath = fc.record({ path: pattern, consent }).map(({ path: text, consent: mode }) => ({
  path: text,
  ...(mode && { consent: { mode } }),
  at,
}));
const deniedPath = fc
  .record({ path: pattern, except: fc.option(fc.array(pattern, { maxLength: 2 }), { nil: undefined }) })
  .map(({ path: text, except }) => ({ path: text, ...(except && { except }), at }));
const program = fc.constantFrom('ls', 'rm', 'git', 'npm', '*');
const word = fc.constantFrom('status', 'push', 'run');
const command = fc
  .record({
    program,
    words: fc.array(fc.array(word, { minLength: 1, maxLength: 2 }), { maxLength: 2 }),
    consent,
  })
  .map(({ program: first, words, consent: mode }) => ({
    command: [[first], ...words],
    ...(mode && { consent: { mode } }),
    at,
  }));
const deniedCommand = command.map(({ command: tokens }) => ({ command: tokens, at }));

const entry: fc.Arbitrary<ToolEntry> = fc
  .record({
    allowed_paths: fc.array(allowedPath, { maxLength: 4 }),
    denied_paths: fc.array(deniedPath, { maxLength: 3 }),
    allowed_commands: fc.array(command, { maxLength: 4 }),
    denied_commands: fc.array(deniedCommand, { maxLength: 2 }),
    limits: fc.record({ timeoutMs: fc.integer({ min: 1, max: 9 }) }),
  })
  .map((parts) => ({ ...parts, at }));

const document: fc.Arbitrary<PolicyDocument> = fc
  .array(fc.tuple(fc.constantFrom(...TOOLS), entry), { minLength: 1, maxLength: 5 })
  .map((entries) => ({ tools: Object.fromEntries(entries) }));

/** The policy decides on the facts beside it. */
const NO_PLAN = {
  tree: { kind: 'command' as const, words: [], redirects: [] },
  programs: [],
  files: [],
};

const request: fc.Arbitrary<CanonicalRequest> = fc.oneof(
  path.map((text) => ({ kind: 'read' as const, path: text, argument: 'path' })),
  path.map((text) => ({ kind: 'write' as const, path: text, argument: 'path' })),
  fc
    .record({
      program: fc.constantFrom('ls', '/bin/rm', 'git', 'npm'),
      words: fc.array(word, { maxLength: 2 }),
      reads: fc.array(path, { maxLength: 1 }),
    })
    .map(({ program: written, words, reads }) => ({
      kind: 'command' as const,
      plan: NO_PLAN,
      programs: [
        {
          program: written,
          args: words.map((text) => ({ kind: 'literal' as const, text })),
          directory: '/workspace',
          interpreter: false,
          location: 'unknown' as const,
          reads,
          writes: [],
        },
      ],
      files: [],
      env: [],
    })),
);
const call = fc.record({
  tool: fc.constantFrom(...TOOLS),
  requests: fc.array(request, { minLength: 1, maxLength: 2 }),
});
const calls = fc.array(call, { minLength: REQUESTS, maxLength: REQUESTS });

function layerOf(policy: PolicyDocument): PolicyLayer {
  return compilePolicy('p', policy, surroundings, new Map(), []);
}

function decideAll(
  policy: PermissionPolicy,
  list: readonly { tool: string; requests: readonly CanonicalRequest[] }[],
): readonly Decision[] {
  return list.map(({ tool, requests }) =>
    policy.decide({ caller: LOCAL_STDIO, tool, arguments: {}, requests }),
  );
}

/** How much a decision lets through. */
function permissiveness(decision: Decision): number {
  if (decision.effect === 'deny') return 0;
  if (decision.effect === 'allow') return 4;
  return { explicit: 1, always: 2, ask: 3, never: 4 }[decision.consent.mode];
}

function expectNoMore(narrow: readonly Decision[], wide: readonly Decision[]): void {
  for (const [index, decision] of narrow.entries()) {
    const other = wide[index];
    if (other === undefined) throw new Error('as many decisions as calls');
    expect(permissiveness(decision)).to.be.at.most(permissiveness(other));
    if (decision.effect !== 'deny' && other.effect !== 'deny') {
      expect(decision.obligations.limits.timeoutMs ?? 99).to.be.at.most(
        other.obligations.limits.timeoutMs ?? 99,
      );
    }
  }
}

describe('every policy', function () {
  if (process.env.CASTELLAN_LONG === '1') this.timeout(300_000);

  it('allows no more once a deny is added', () => {
    fc.assert(
      fc.property(
        document,
        fc.constantFrom(...TOOLS),
        fc.array(deniedPath, { maxLength: 2 }),
        fc.array(deniedCommand, { maxLength: 2 }),
        calls,
        (policy, tool, paths, commands, list) => {
          const before = policy.tools?.[tool];
          fc.pre(before !== undefined);
          const after = {
            ...before,
            denied_paths: [...(before.denied_paths ?? []), ...paths],
            denied_commands: [...(before.denied_commands ?? []), ...commands],
          };
          const narrowed = { tools: { ...policy.tools, [tool]: after } };
          expectNoMore(
            decideAll(new PermissionPolicy(layerOf(narrowed)), list),
            decideAll(new PermissionPolicy(layerOf(policy)), list),
          );
        },
      ),
      { numRuns: RUNS },
    );
  });

  it('allows no more under a ceiling', () => {
    fc.assert(
      fc.property(document, document, calls, (policy, ceiling, list) => {
        const base = layerOf(policy);
        const top = layerOf(ceiling);
        const both = decideAll(new PermissionPolicy(base, [top]), list);
        expectNoMore(both, decideAll(new PermissionPolicy(base), list));
        expectNoMore(both, decideAll(new PermissionPolicy(top), list));
      }),
      { numRuns: RUNS },
    );
  });

  it('decides the same whatever the order of its entries', () => {
    fc.assert(
      fc.property(document, calls, (policy, list) => {
        const turned = Object.entries(policy.tools ?? {})
          .reverse()
          .map(([tool, rules]) => [
            tool,
            {
              ...rules,
              allowed_paths: rules.allowed_paths?.toReversed() ?? [],
              denied_paths: rules.denied_paths?.toReversed() ?? [],
              allowed_commands: rules.allowed_commands?.toReversed() ?? [],
              denied_commands: rules.denied_commands?.toReversed() ?? [],
            },
          ]);
        const first = decideAll(new PermissionPolicy(layerOf(policy)), list);
        const second = decideAll(new PermissionPolicy(layerOf({ tools: Object.fromEntries(turned) })), list);
        expect(second.map(permissiveness)).to.deep.equal(first.map(permissiveness));
        expect(second.map((decision) => decision.effect === 'deny' && decision.reason)).to.deep.equal(
          first.map((decision) => decision.effect === 'deny' && decision.reason),
        );
      }),
      { numRuns: RUNS },
    );
  });

  it('keeps a sibling with the same prefix outside', () => {
    const safe = fc.stringMatching(/^[a-z0-9_-]{1,8}$/);
    fc.assert(
      fc.property(fc.array(safe, { minLength: 1, maxLength: 4 }), safe, safe, (folders, suffix, file) => {
        const folder = `/srv/${folders.join('/')}`;
        const policy = new PermissionPolicy(
          layerOf({ tools: { write_file: { allowed_paths: [{ path: folder, at }], at } } }),
        );
        const write = (target: string): Decision['effect'] =>
          policy.decide({
            caller: LOCAL_STDIO,
            tool: 'write_file',
            arguments: {},
            requests: [{ kind: 'write', path: target, argument: 'path' }],
          }).effect;
        expect(write(`${folder}/${file}`)).to.equal('allow');
        expect(write(`${folder}${suffix}`)).to.equal('deny');
        expect(write(`${folder}${suffix}/${file}`)).to.equal('deny');
        expect(write(folder.slice(0, -1))).to.equal('deny');
      }),
      { numRuns: RUNS * 5 },
    );
  });

  it('answers any text without an exception', async () => {
    const policies = await Promise.all(
      [
        'extends: [builtin:workspace]',
        'tools: { execute_command: { allowed_commands: [ls, git, find], denied_commands: [rm] } }',
      ].map((yaml) => policyOf(yaml)),
    );
    const anyText = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string(),
      fc.stringMatching(/^[ls;|&$()<>"'\\ *./-]{0,30}$/),
    );
    const tools = [...TOOLS, '', '__proto__', 'constructor'];
    fc.assert(
      fc.property(fc.constantFrom(...tools), anyText, anyText, (tool, first, second) => {
        const args = { path: first, command: first, source: second, destination: first, cwd: second };
        for (const policy of policies) {
          const decision = decideCall.decide(policy, callOf(tool, args));
          expect(decision.effect).to.be.oneOf(['allow', 'consent', 'deny']);
          expect(policy.couldAllow(LOCAL_STDIO, tool)).to.be.a('boolean');
        }
      }),
      { numRuns: RUNS * 10 },
    );
  });
});
