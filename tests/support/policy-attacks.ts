import { attacks, type FileAttack, gone } from './file-attack.js';

const edit = [{ old_text: 'CAN', new_text: 'x' }];

/** What the policy keeps inside an allowed folder, and what is the server's own. */
export const policyAttacks: readonly FileAttack[] = [
  ...attacks('deny-list inside allow-list', 'policy', [
    ['a secret by name', 'read_file', { path: '.env' }],
    ['a secret deeper down', 'read_file', { path: 'deep/.env.local' }],
    ['a key by its ending', 'read_file', { path: 'server.pem' }],
    ['a file of a denied folder', 'read_file', { path: 'private/CANARY-list.txt' }],
    ['a denied folder', 'list_directory', { path: 'private' }],
    ['a denied ending', 'read_file', { path: 'keys/x.secret' }],
    ['with an allowed one', 'read_files', { paths: ['plain.txt', '.env'] }, 'hidden'],
    ['grepped by name', 'search_content', { path: '.env', query: '.' }],
    ['copied', 'copy_path', { source: '.env', destination: 'env.txt' }],
    ['moved', 'move_path', { source: 'server.pem', destination: 'server.txt' }],
    ['edited', 'edit_file', { path: '.env', edits: edit }],
    ['described', 'file_info', { path: 'private/CANARY-list.txt' }],
    ['a locked file written', 'write_file', { path: 'locked/kept.txt', content: 'x' }],
    ['a locked folder filled', 'create_directory', { path: 'locked/new' }],
    ['a locked file deleted', 'delete_path', { path: 'locked/kept.txt', ...gone }],
    ['a hook written', 'write_file', { path: '.git/hooks/post-merge', content: 'x' }],
    ['a task of an editor written', 'write_file', { path: '.vscode/tasks.json', content: 'x' }],
    [
      'instructions for agents written',
      'write_file',
      { path: 'sub/CLAUDE.md', content: 'x', create_dirs: true },
    ],
    [
      'a workflow copied into place',
      'copy_path',
      { source: 'plain.txt', destination: '.github/workflows/x.yml' },
    ],
  ]),
  ...attacks('deny-list inside allow-list', undefined, [
    ['in a listing', 'list_directory', { recursive: true, ignore: false }, 'hidden'],
    ['in a search by name', 'search_files', { pattern: '*', ignore: false }, 'hidden'],
    ['in a search for the very name', 'search_files', { pattern: 'CANARY*' }, 'hidden'],
    ['in a search of content', 'search_content', { query: 'CAN.RY', ignore: false }, 'hidden'],
    [
      'in a search that includes it',
      'search_content',
      { query: 'CAN.RY', include: ['.env*', '*.pem'] },
      'hidden',
    ],
    ['around a match', 'search_content', { query: '.', context: 10, limit: 1000 }, 'hidden'],
    ['by a cursor into it', 'list_directory', { recursive: true, cursor: 'c1..private%2FA' }, 'hidden'],
    [
      'by a cursor of a search',
      'search_content',
      { query: 'CAN.RY', cursor: 'c1.0.private%2FCANARY-list.txt' },
      'hidden',
    ],
    ['in a copy of the whole', 'copy_path', { source: 'keys', destination: 'keys-copy' }, 'hidden'],
  ]),
  ...attacks('server’s own files', 'policy', [
    ['the policy in force, read', 'read_file', ({ policy }) => ({ path: policy })],
    ['the policy in force, written', 'write_file', ({ policy }) => ({ path: policy, content: 'x' })],
    ['a policy put where one is looked for', 'write_file', { path: 'permissions.yaml', content: 'x' }],
    ['one in config', 'write_file', { path: 'config/permissions.yaml', content: 'x', create_dirs: true }],
    ['settings put there', 'write_file', { path: 'castellan.yaml', content: 'x' }],
    ['a policy moved there', 'move_path', { source: 'plain.txt', destination: 'permissions.yaml' }],
    ['settings copied there', 'copy_path', { source: 'plain.txt', destination: 'config/castellan.yaml' }],
    ['a folder of that name', 'create_directory', { path: 'permissions.yaml' }],
    ['the audit log', 'list_directory', ({ state }) => ({ path: `${state}/castellan/audit` })],
    [
      'the key of the audit log',
      'search_content',
      ({ state }) => ({ path: `${state}/castellan`, query: '.' }),
    ],
    [
      'the state removed',
      'delete_path',
      ({ state }) => ({ path: `${state}/castellan`, recursive: true, ...gone }),
    ],
    ['the journal of writes', 'read_file', ({ state }) => ({ path: `${state}/castellan/journal` })],
    ['flags of the project', 'write_file', { path: '.castellan/flags.json', content: '{}' }],
    ['the folder of the project’s flags', 'create_directory', { path: '.castellan' }],
    ['a policy by way of dots', 'write_file', { path: 'folder/../permissions.yaml', content: 'x' }],
  ]),
];
