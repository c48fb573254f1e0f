import type { ElicitRequest, FormField } from '../call/tool-context.js';
import type { ConsentAnswer, ConsentForm, ConsentPrompt } from '../ports/permission/consent-prompt.js';

/** Asks with the form that the client shows its user: tool, effect and arguments. */
export const elicitConsent: ConsentPrompt = {
  ask: async (form, signal, { client }): Promise<ConsentAnswer> => {
    const answer = await client.elicit(questionOf(form), signal);
    switch (answer.action) {
      case 'decline':
        return { kind: 'decline' };
      case 'cancel':
        return { kind: 'cancel' };
      case 'unavailable':
        return { kind: 'unavailable' };
      case 'accept': {
        const { phrase, remember } = answer.content;
        return {
          kind: 'accept',
          ...(typeof phrase === 'string' && { typed: phrase }),
          ...(typeof remember === 'boolean' && { remember }),
        };
      }
    }
  },
};

function questionOf(form: ConsentForm): ElicitRequest {
  const fields: Record<string, FormField> = {};
  if (form.phrase !== undefined) {
    fields.phrase = { type: 'string', title: 'Phrase', description: `Type exactly: ${form.phrase}` };
  }
  if (form.rememberMs !== undefined) {
    fields.remember = {
      type: 'boolean',
      title: 'Remember',
      description: `Do not ask again for identical arguments for ${Math.round(form.rememberMs / 60_000)} min.`,
      default: false,
    };
  }
  return {
    message: `Allow ${form.tool}? ${form.effect}\n${form.consequences === undefined ? '' : `${form.consequences}\n`}${JSON.stringify(form.arguments, undefined, 2)}`,
    fields,
    ...(form.phrase !== undefined && { required: ['phrase'] }),
  };
}
