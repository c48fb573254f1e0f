import type { SecurityNotes, ToolSpecificationNotes } from '../../../application/tool/tool-definition.js';

const READS: SecurityNotes = {
  files:
    "Reads the flag store: the workspace's flag file and the user's, or the Redis that the settings name. No path comes from the caller.",
  network: 'None, unless the settings name a Redis; then only that one.',
  execution: 'None.',
  changes: 'None.',
  secrets: 'Whoever may call it reads the flags: keep no secrets in them.',
};

const SETS: SecurityNotes = {
  ...READS,
  files:
    "Writes the flag store: the workspace's flag file or the user's, or the Redis that the settings name. No path comes from the caller.",
  changes:
    'A flag may switch tools and documents on and off (`enabled_by`). Leave this tool out of the policy, or give it `consent: ask`, where an agent must not decide that. Values are checked against the schema of the settings, and the write is whole or does not happen.',
  secrets: 'Flags are plain text that every reader of flags sees: never store a secret in one.',
};

const LIST = { 'dark-mode': true, reviewers: ['ada', 'grace'] };

export const PROJECT_NOTES: Readonly<Record<string, ToolSpecificationNotes>> = {
  get_feature_flag: { answer: { flag: 'dark-mode', value: true, reason: 'GLOBAL' }, security: READS },
  get_project_config: {
    answer: {
      project: 'castellan',
      active: true,
      categories: {
        guidelines: {
          dir: 'docs/guidelines',
          patterns: ['**/*.md'],
          description: 'How we work',
          kind: 'guidelines',
        },
      },
      collections: { python: ['guidelines/python*'] },
      flags: { 'dark-mode': true },
      paths: { workspace: '/home/ada/castellan', categories: { guidelines: 'docs/guidelines' } },
      problems: [{ path: 'docs/guidelines/broken.md', problem: 'The front matter ends in the middle.' }],
    },
    security: {
      ...READS,
      files:
        "Reads the settings and looks through the folders of the project's categories. No path comes from the caller.",
      secrets:
        'Shows names, folders and flags: the absolute path of the workspace is among them. No document and no variable. Leave it out of the policy where a caller must not learn them.',
    },
  },
  get_project_flag: { answer: { flag: 'dark-mode', value: true, reason: 'PROJECT' }, security: READS },
  list_feature_flags: { answer: LIST, security: READS },
  list_project_flags: { answer: LIST, security: READS },
  set_feature_flag: { answer: { flag: 'dark-mode', value: true }, security: SETS },
  set_project_flag: { answer: { flag: 'dark-mode', value: true }, security: SETS },
};
