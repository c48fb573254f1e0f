import * as Type from 'typebox';
import type { DocumentPlace, WriteDocumentHandler } from '../../../application/knowledge/write-document.js';
import { type PermissionRequest, writePath } from '../../../domain/permission/policy/permission-request.js';

/** Arguments shared by the three tools that change documents. */
export const placeFields = {
  category_dir: Type.String({
    description: 'The category, by its name or its folder as get_project_config shows them.',
    minLength: 1,
    maxLength: 300,
    examples: ['guidelines'],
  }),
  name: Type.String({
    description:
      'The name of the document within the category, 1 to 100 characters; folders divided by "/"; ".md" is added where it has no extension.',
    minLength: 1,
    maxLength: 100,
    examples: ['error-handling'],
  }),
};

export function contentField() {
  return Type.String({
    description: 'The whole text of the document, in Markdown; front matter is allowed.',
  });
}

export function consentField<Action extends string>(action: Action) {
  return Type.Literal(action, {
    description: `Must be "${action}": states that the user asked for exactly this.`,
  });
}

export const documentMetadata = Type.Object({
  category: Type.String({ description: 'The name of its category.' }),
  name: Type.String({ description: 'Its path within the category.' }),
  path: Type.String({ description: 'Its path relative to the workspace.' }),
  uri: Type.Optional(
    Type.String({ description: 'The address of its resource, where it has one.', format: 'uri' }),
  ),
  title: Type.Optional(Type.String({ description: 'From its front matter or first heading.' })),
  size: Type.Integer({ minimum: 0, description: 'Bytes.' }),
  modified: Type.String({ description: 'When it was last changed, ISO 8601.', format: 'date-time' }),
  content_hash: Type.Optional(Type.String({ description: 'Names its content, for if_match.' })),
});

export const documentErrors = [
  { type: 'NotFoundError', when: 'there is no such category or document' },
  { type: 'PermissionDeniedError', when: 'the document would lie outside of its category' },
];

/** Denied paths apply to documents too; a document without a valid path is refused by the tool itself. */
export function writesDocument(
  place: DocumentPlace,
  documents: WriteDocumentHandler | undefined,
): readonly PermissionRequest[] {
  const path = documents?.pathOf(place);
  return path === undefined ? [] : [writePath(path, 'name')];
}
