import { ToolInputSchema } from '../../domain/tool/tool-input-schema.js';

/** The outputSchema of a structured tool: the envelope with its value typed, for successes and failures alike. */
export function envelopeSchema(value: object): ToolInputSchema {
  return ToolInputSchema.of(
    {
      success: { type: 'boolean', description: 'Whether the call did what it was asked.' },
      status: { type: 'string', enum: ['success', 'failure'], description: 'The same in a word.' },
      value,
      page: {
        type: 'object',
        description: 'Present when the list was cut.',
        properties: {
          truncated: { type: 'boolean', description: 'Whether there is more.' },
          next_cursor: { type: 'string', description: 'Pass as cursor to get what follows.' },
          total: { type: 'integer', description: 'How many there are in all, where that is known.' },
        },
        required: ['truncated'],
        additionalProperties: false,
      },
      message: { type: 'string', description: 'For the user.' },
      instruction: { type: 'string', description: 'For the agent: what to do next.' },
      error: { type: 'string', description: 'What went wrong.' },
      error_message: { type: 'string', description: 'The same as error.' },
      error_type: { type: 'string', description: 'The kind of failure, for example ToolValidationError.' },
      error_code: { type: 'integer', description: 'Its number.' },
      error_details: { type: 'object', description: 'Reason, problems by argument, when to retry.' },
      exception_type: { type: 'string', description: 'The name of the exception behind the failure.' },
      exception_message: { type: 'string', description: 'Its message.' },
    },
    ['success', 'status'],
  );
}

const LISTED_PARTS: Readonly<Record<string, object>> = {
  page: { type: 'object' },
  message: { type: 'string' },
  instruction: { type: 'string' },
  error: { type: 'string' },
  error_message: { type: 'string' },
  error_type: { type: 'string' },
  error_code: { type: 'integer' },
  error_details: { type: 'object' },
  exception_type: { type: 'string' },
  exception_message: { type: 'string' },
};

/** The same for tools/list: it stands there once a tool, so its common part is small. */
export function listedEnvelope(value: object): ToolInputSchema {
  const status = { type: 'string', enum: ['success', 'failure'] };
  return ToolInputSchema.of({ success: { type: 'boolean' }, status, value, ...LISTED_PARTS }, [
    'success',
    'status',
  ]);
}
