import type { SecurityNotes } from '../../../application/tool/tool-definition.js';

export const READS: SecurityNotes = {
  files:
    "Reads the documents of the project's categories and nothing else; `..` and links that lead out of a category's folder are refused. Choose the folders in castellan.yaml with that in mind.",
  network: 'None.',
  execution: 'None: documents are parsed, never run.',
  changes: 'None.',
  secrets:
    'Whoever may call it reads every document of the categories: keep no secrets there. `denied_paths` of the policy holds for documents, too.',
};

export const WRITES: SecurityNotes = {
  ...READS,
  files:
    "Writes one file within the folder of the category; `..` and links that lead out of it are refused, and the policy's `allowed_paths` and `denied_paths` for this tool are asked first.",
  changes:
    'The write is whole or does not happen. The literal `explicit_action` states that the user asked for it; set `consent: ask` to have the client ask them. Keep the documents under version control.',
  secrets: 'What is written can be read by every caller of get_content: write no secrets.',
};

export const QUOTE = 'MongoDB was considered and rejected.';
export const PROPOSED = 'Use MongoDB for the order history.';
export const ADR = 'architecture://adr/0007-one-database';
export const NEXT = { cursor: 'YWZ0ZXI6MTA=' };
export const METADATA = {
  category: 'guidelines',
  name: 'error-handling.md',
  path: 'docs/guidelines/error-handling.md',
  uri: 'architecture://guidelines/error-handling',
  title: 'Error handling',
  size: 1024,
  modified: '2026-03-14T09:26:53.589Z',
  content_hash: '2c26b46b68ffc68ff99b453c1d304134',
};
