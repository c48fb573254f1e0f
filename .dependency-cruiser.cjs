/** The arrows of docs/architecture.md, checked by a machine. */
const layer = (name) => `^(tests/architecture/planted/)?src/${name}/`;
const inner = '^(tests/architecture/planted/)?src/';

/** The rooms of commands, each with those that it may use: docs/architecture.md has the picture. */
const rooms = {
  program: [],
  process: [],
  mounts: ['program'],
  feedback: ['process', 'program'],
  launch: ['mounts', 'process'],
  workspace: ['feedback', 'program'],
  network: ['launch', 'process'],
  session: ['launch', 'mounts', 'network', 'process'],
  git: ['feedback', 'mounts', 'process', 'program', 'workspace'],
  unsandboxed: ['feedback', 'process', 'program'],
  sandbox: ['feedback', 'launch', 'mounts', 'network', 'process', 'program', 'session'],
};

const room = (names) => layer(`infrastructure/command/(${names.join('|')})`);

/** Of `runner`, which puts the others together, nobody knows. */
const roomRules = Object.entries(rooms).map(([name, known]) => ({
  name: `commands-${name}-knows-its-rooms`,
  severity: 'error',
  from: { path: room([name]) },
  to: { path: layer('infrastructure/command'), pathNot: room([name, ...known]) },
}));

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'A cycle has no inside and no outside.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'domain-imports-only-domain',
      comment: 'The domain knows no package, no node: module and no other layer.',
      severity: 'error',
      from: { path: layer('domain') },
      to: { pathNot: layer('domain') },
    },
    {
      name: 'application-imports-inward',
      comment: 'The application knows the domain, itself and the inversify decorators.',
      severity: 'error',
      from: { path: layer('application') },
      to: { pathNot: `${layer('(domain|application)')}|node_modules/(@inversifyjs|inversify)/` },
    },
    {
      name: 'infrastructure-and-presentation-never-meet',
      severity: 'error',
      from: { path: layer('infrastructure') },
      to: { path: `${layer('(presentation|composition|testing)')}|${inner}(main|index)\\.ts$` },
    },
    {
      name: 'presentation-and-infrastructure-never-meet',
      severity: 'error',
      from: { path: layer('presentation') },
      to: { path: `${layer('(infrastructure|composition|testing)')}|${inner}(main|index)\\.ts$` },
    },
    {
      name: 'composition-is-never-imported-by-a-layer',
      severity: 'error',
      from: { path: layer('(domain|application|infrastructure|presentation)') },
      to: { path: `${layer('composition')}|${inner}(main|index)\\.ts$` },
    },
    {
      name: 'one-folder-knows-the-mcp-sdk',
      comment: 'Everything about the protocol packages stays in presentation/mcp.',
      severity: 'error',
      from: { path: inner, pathNot: layer('presentation/mcp') },
      to: { path: 'node_modules/@modelcontextprotocol/' },
    },
    {
      name: 'commands-know-no-permission',
      comment: 'What a command line means is known before anybody asks whether it is allowed.',
      severity: 'error',
      from: { path: layer('domain/(command|tool|session)') },
      to: { path: layer('domain/permission') },
    },
    {
      name: 'ports-know-the-domain-and-a-call',
      comment: 'What the core asks of the world does not depend on who asks.',
      severity: 'error',
      from: { path: layer('application/(ports|call)'), pathNot: layer('application/call/pipeline') },
      to: { path: layer('application'), pathNot: `${inner}application/(ports/|call/[^/]+$)` },
    },
    {
      name: 'permission-knows-no-tool',
      comment: 'Tools are allowed by permission; the other way round would be a cycle.',
      severity: 'error',
      from: { path: layer('application/permission') },
      to: { path: layer('application/(call/pipeline|tool|command|session|prompt|resource)') },
    },
    ...roomRules,
    {
      name: 'state-knows-nobody',
      comment: 'Locks, atomic files and process identities serve every adapter.',
      severity: 'error',
      from: { path: layer('infrastructure/state') },
      to: { path: layer('infrastructure'), pathNot: layer('infrastructure/state') },
    },
    {
      name: 'one-way-to-the-files-of-a-workspace',
      comment:
        'Whoever shows what files hold reaches them through infrastructure/file, under the policy: no file system of its own, no reader of the server, no access that it made itself. Watching a folder opens nothing.',
      severity: 'error',
      from: {
        path: layer(
          '(infrastructure/(knowledge|prompt|tool|session)|presentation|application/(knowledge|prompt|resource|tool))',
        ),
        pathNot: `${inner}infrastructure/knowledge/folder-watch\\.ts$|${layer('presentation/tools/file')}`,
      },
      to: {
        path: `^(node:)?fs(/promises)?$|${inner}infrastructure/state/foreign-file\\.ts$|${inner}application/ports/file/safe-file-system\\.ts$`,
      },
    },
    {
      name: 'no-unresolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
      extensions: ['.ts', '.js', '.mjs'],
    },
  },
};
