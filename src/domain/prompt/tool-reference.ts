import { isJsonObject } from '../json-value.js';
import type { Tool } from '../tool/tool.js';

/** A tool as a prompt shows it: its plain name, and how to call it if that differs. */
export function describeToolReference(tool: Tool, serverPrefix: string): string {
  const wire = tool.wireName(serverPrefix);
  const parameters = Object.entries(tool.inputSchema.properties ?? {}).map(([name, schema]) => {
    const need = tool.inputSchema.required?.includes(name) ? 'required' : 'optional';
    return `  - ${name} (${need}): ${describeParameter(schema)}`;
  });
  return [
    `Tool: ${tool.name}`,
    ...(wire === tool.name ? [] : [`Call as: ${wire}`]),
    `Description: ${tool.summary}`,
    ...(parameters.length > 0 ? ['Parameters:', ...parameters] : ['Parameters: none']),
  ].join('\n');
}

function describeParameter(schema: object): string {
  if (!isJsonObject(schema)) return '';
  const words = typeof schema.description === 'string' ? schema.description : '';
  const limits = [
    typeof schema.maxLength === 'number' ? `max ${schema.maxLength} chars` : '',
    typeof schema.minimum === 'number' ? `min ${schema.minimum}` : '',
    typeof schema.maximum === 'number' ? `max ${schema.maximum}` : '',
    Array.isArray(schema.enum) ? `one of ${schema.enum.join(', ')}` : '',
    'default' in schema ? `default ${String(schema.default)}` : '',
  ].filter((limit) => limit !== '');
  return limits.length === 0 ? words : `${words.replace(/\.$/, '')} (${limits.join(', ')})`;
}
