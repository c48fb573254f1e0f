type Call = readonly [tool: string, args: Readonly<Record<string, unknown>>];

/** One thing an agent wants to know or do, and how it asks each server. Without an entry a server has no such tool. */
export interface AgentCall {
  readonly what: string;
  readonly ours: Call;
  readonly official?: Call;
  readonly commander?: Call;
  /** The peers say less here: shown, and not compared. */
  readonly saysMore?: string;
}

const edit = (path: string, from: string, to: string) => ({
  ours: ['edit_file', { path, edits: [{ old_text: from, new_text: to }] }] as Call,
});

/** Files of tests/support/large-files.ts. */
export const LARGE_ROWS = [
  'base64.txt',
  'app.min.js',
  'data.json',
  'analysis.ipynb',
  'server.log',
  'chinese.txt',
];

/** Calls of an ordinary session: look around, read, search, change, run, mistakes on the way, and files that fill a context. */
export function agentCalls(root: string): readonly AgentCall[] {
  const at = (path: string) => (path.startsWith('/') ? path : `${root}/${path}`);
  const read = (path: string): AgentCall => ({
    what: `read ${path}`,
    ours: ['read_file', { path }],
    official: ['read_text_file', { path: at(path) }],
    commander: ['read_file', { path: at(path) }],
  });
  const list = (path: string, what = `list ${path}`): AgentCall => ({
    what,
    ours: ['list_directory', { path }],
    official: ['list_directory', { path: at(path) }],
    commander: ['list_directory', { path: at(path), depth: 1 }],
  });
  const info = (path: string): AgentCall => ({
    what: `facts about ${path}`,
    ours: ['file_info', { path }],
    official: ['get_file_info', { path: at(path) }],
    commander: ['get_file_info', { path: at(path) }],
  });
  const find = (pattern: string, glob = pattern): AgentCall => ({
    what: `find ${pattern}`,
    ours: ['search_files', { pattern }],
    official: ['search_files', { path: root, pattern: `**/${glob}` }],
    commander: ['start_search', { path: root, pattern, searchType: 'files' }],
  });
  const grep = (query: string): AgentCall => ({
    what: `search for ${query}`,
    ours: ['search_content', { query }],
    commander: ['start_search', { path: root, pattern: query, searchType: 'content' }],
  });
  const run = (command: string): AgentCall => ({
    what: `run ${command}`,
    ours: ['execute_command', { command }],
    commander: ['start_process', { command: `cd ${root} && ${command}`, timeout_ms: 10_000 }],
  });
  const write = (path: string, content: string, what: string): AgentCall => ({
    what,
    ours: ['write_file', { path, content }],
    official: ['write_file', { path: at(path), content }],
    commander: ['write_file', { path: at(path), content, mode: 'rewrite' }],
  });
  return [
    list('.', 'list the workspace'),
    list('src/domain', 'list 56 files'),
    list('src'),
    {
      what: 'list two levels',
      ours: ['list_directory', { path: 'src', recursive: true }],
      official: ['directory_tree', { path: at('src') }],
      commander: ['list_directory', { path: at('src'), depth: 2 }],
    },
    {
      what: 'list with sizes',
      ours: ['list_directory', { path: 'src/domain' }],
      official: ['list_directory_with_sizes', { path: at('src/domain') }],
    },
    list('docs'),
    read('package.json'),
    read('README.md'),
    read('src/domain/order-service-07.ts'),
    read('src/app/main.ts'),
    {
      what: 'the first 10 lines',
      ours: ['read_file', { path: 'docs/guide.md', limit: 10 }],
      official: ['read_text_file', { path: at('docs/guide.md'), head: 10 }],
      commander: ['read_file', { path: at('docs/guide.md'), length: 10 }],
    },
    {
      what: 'the last 10 lines',
      ours: ['read_file', { path: 'docs/guide.md', offset: -10 }],
      official: ['read_text_file', { path: at('docs/guide.md'), tail: 10 }],
      commander: ['read_file', { path: at('docs/guide.md'), offset: -10 }],
    },
    {
      what: 'lines 101 to 140',
      ours: ['read_file', { path: 'docs/guide.md', offset: 100, limit: 40 }],
      commander: ['read_file', { path: at('docs/guide.md'), offset: 100, length: 40 }],
    },
    {
      what: 'three files at once',
      ours: ['read_files', { paths: ['package.json', 'src/app/main.ts', 'src/domain/order-service-01.ts'] }],
      official: [
        'read_multiple_files',
        { paths: [at('package.json'), at('src/app/main.ts'), at('src/domain/order-service-01.ts')] },
      ],
      commander: [
        'read_multiple_files',
        { paths: [at('package.json'), at('src/app/main.ts'), at('src/domain/order-service-01.ts')] },
      ],
    },
    { ...read('missing.txt'), saysMore: 'what to do next' },
    find('main.ts'),
    find('*.md'),
    find('order-service-1*.ts'),
    find('nothing.xyz'),
    grep('TODO'),
    grep('class OrderService07'),
    grep('import '),
    grep('no such words'),
    info('package.json'),
    info('src'),
    write('notes.txt', 'one\ntwo\n', 'write a file'),
    write('notes.txt', 'one\ntwo\nthree\n', 'replace a file'),
    {
      what: 'append a line',
      ours: ['write_file', { path: 'notes.txt', content: 'four\n', mode: 'append' }],
      commander: ['write_file', { path: at('notes.txt'), content: 'four\n', mode: 'append' }],
    },
    {
      what: 'edit a line',
      ...edit('src/app/main.ts', 'const port = 1;', 'const port = 2;'),
      official: [
        'edit_file',
        { path: at('src/app/main.ts'), edits: [{ oldText: 'const port = 1;', newText: 'const port = 2;' }] },
      ],
    },
    {
      what: 'preview an edit',
      ours: [
        'edit_file',
        {
          path: 'README.md',
          edits: [{ old_text: 'sample', new_text: 'example', replace_all: true }],
          dry_run: true,
        },
      ],
      official: [
        'edit_file',
        { path: at('README.md'), edits: [{ oldText: 'A sample', newText: 'An example' }], dryRun: true },
      ],
    },
    {
      what: 'edit text that is not there',
      saysMore: 'the nearest text and its line',
      ...edit('src/app/main.ts', 'const prt = 1;', 'x'),
      official: [
        'edit_file',
        { path: at('src/app/main.ts'), edits: [{ oldText: 'const prt = 1;', newText: 'x' }] },
      ],
      commander: [
        'edit_block',
        { file_path: at('src/app/main.ts'), old_string: 'const prt = 1;', new_string: 'x' },
      ],
    },
    {
      what: 'make a folder',
      ours: ['create_directory', { path: 'out/reports' }],
      official: ['create_directory', { path: at('out/reports') }],
      commander: ['create_directory', { path: at('out/reports') }],
    },
    {
      what: 'move a file',
      ours: ['move_path', { source: 'notes.txt', destination: 'out/notes.txt' }],
      official: ['move_file', { source: at('notes.txt'), destination: at('out/notes.txt') }],
      commander: ['move_file', { source: at('notes.txt'), destination: at('out/notes.txt') }],
    },
    {
      what: 'rename a folder',
      ours: ['move_path', { source: 'out', destination: 'output' }],
      official: ['move_file', { source: at('out'), destination: at('output') }],
      commander: ['move_file', { source: at('out'), destination: at('output') }],
    },
    { ...read('/etc/hostname'), what: 'read outside', saysMore: 'which rule decides and what to do' },
    run('echo hello'),
    run('git status --short'),
    run('git log --oneline'),
    run('ls -la src/app'),
    run('cat missing.txt'),
    ...LARGE_ROWS.map((path) => read(`large/${path}`)),
    run('cat large/server.log'),
  ];
}
