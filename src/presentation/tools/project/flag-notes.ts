import type { SecurityNotes } from '../../../application/tool/tool-definition.js';

export const READS: SecurityNotes = {
  files:
    "Reads the flag store: the workspace's flag file and the user's, or the Redis that the settings name. No path comes from the caller.",
  network: 'None, unless the settings name a Redis; then only that one.',
  execution: 'None.',
  changes: 'None.',
  secrets: 'Whoever may call it reads the flags: keep no secrets in them.',
};

export const SETS: SecurityNotes = {
  ...READS,
  files:
    "Writes the flag store: the workspace's flag file or the user's, or the Redis that the settings name. No path comes from the caller.",
  changes:
    'A flag may switch tools and documents on and off (`enabled_by`). Leave this tool out of the policy, or give it `consent: ask`, where an agent must not decide that. Values are checked against the schema of the settings, and the write is whole or does not happen.',
  secrets: 'Flags are plain text that every reader of flags sees: never store a secret in one.',
};

export const LIST = { 'dark-mode': true, reviewers: ['ada', 'grace'] };
