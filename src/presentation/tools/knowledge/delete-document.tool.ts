// How a tool is written: ../README.md
import { WriteDocumentHandler } from '../../../application/knowledge/write-document.js';
import { defineTool } from '../define-tool.js';
import { toolArguments } from '../tool-arguments.js';
import {
  consentField,
  documentErrors,
  documentMetadata,
  placeFields,
  writesDocument,
} from './document-fields.js';
import { METADATA, WRITES } from './knowledge-notes.js';

export const deleteDocumentTool = defineTool({
  name: 'delete_document',
  version: '1.1.0',
  category: 'knowledge',
  tags: ['documents'],
  summary: 'Delete a document of a category.',
  description: 'Removes one document for good. Read it first: there is no way back through this server.',
  usage: 'Call with the category, the name and explicit_action "DELETE_DOCUMENT".',
  concise: {
    text: 'Delete a document of a category for good.',
    arguments: {
      category_dir: 'Name or folder of a category',
      name: 'Name within the category',
      explicit_action: 'Only if the user asked for this deletion',
    },
  },
  examples: [
    {
      title: 'A guideline that no longer holds',
      arguments: { category_dir: 'guidelines', name: 'outdated', explicit_action: 'DELETE_DOCUMENT' },
    },
  ],
  effects: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
  explicitAction: 'DELETE_DOCUMENT',
  errors: documentErrors,
  security: 'Removes one file within the folder of the category, never a folder.',
  profile: { from: 'workspace', paths: true, consent: 'ask' },
  specification: {
    answer: METADATA,
    security: {
      ...WRITES,
      files:
        'Removes one file within the folder of the category, never a folder; `..` and links that lead out of it are refused.',
      changes:
        'The document is gone for good; only version control brings it back. The literal `explicit_action` states that the user asked for it; set `consent: ask` to have the client ask them.',
      secrets: 'None are touched.',
    },
  },
  input: toolArguments({ ...placeFields, explicit_action: consentField('DELETE_DOCUMENT') }),
  output: documentMetadata,
  needs: { documents: WriteDocumentHandler },
  permissions: (place, { documents }) => writesDocument(place, documents),
  run: ({ category_dir, name }, { documents }, context) =>
    documents.handle({ action: 'delete', category_dir, name }, context),
});
