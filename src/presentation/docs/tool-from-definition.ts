import { MAX_UNEXPLAINED_TIMEOUT_MS } from '../../application/call/call-budget.js';
import type { ToolDefinition } from '../../application/tool/tool-definition.js';
import { Result } from '../../domain/result.js';
import { Tool } from '../../domain/tool/tool.js';
import type { AnswerStyle } from '../answers/answer-style.js';
import { conciseSchema } from './concise-schema.js';
import { envelopeSchema, listedEnvelope } from './envelope-schema.js';
import { missingFromTool } from './tool-conventions.js';
import { buildToolDescription, type DescriptionStyle } from './tool-description.js';

/** The entity behind a definition, with its generated description and output schema; or why it is no tool. */
export function toolFromDefinition(
  definition: ToolDefinition,
  style: DescriptionStyle,
  answers: AnswerStyle = 'envelope',
): Result<Tool> {
  const missing = missingFromTool(definition);
  if (missing !== undefined) return Result.failure(missing, 'InvalidTool');
  const timeoutMs = definition.budget?.timeoutMs ?? 0;
  if (timeoutMs > MAX_UNEXPLAINED_TIMEOUT_MS && definition.whyLonger === undefined) {
    return Result.failure(
      `The tool ${definition.name} asks for ${timeoutMs / 1000}s; more than ${MAX_UNEXPLAINED_TIMEOUT_MS / 1000}s needs whyLonger.`,
      'InvalidTool',
    );
  }
  const { name, category, version, title, tags, icons, prefix, aliases, effects, explicitAction } =
    definition;
  const { annotations, meta } = definition;
  return Tool.create({
    name,
    category,
    version,
    description: buildToolDescription(definition, style),
    inputSchema: definition.input,
    summary: definition.summary,
    ...(definition.toolset !== undefined && { toolset: definition.toolset }),
    ...(definition.requires && { requires: definition.requires }),
    hints: effects,
    listed: {
      inputSchema: style === 'concise' ? conciseSchema(definition) : definition.input,
      ...(definition.output && answers === 'envelope' && { outputSchema: listedEnvelope(definition.output) }),
    },
    ...(definition.output && { outputSchema: envelopeSchema(definition.output) }),
    ...(title !== undefined && { title }),
    ...(tags && { tags }),
    ...(icons && { icons }),
    ...(prefix !== undefined && { prefix }),
    ...(aliases && { aliases }),
    ...(explicitAction !== undefined && { explicitAction }),
    ...(annotations && { annotations }),
    ...(meta && { meta }),
  });
}
