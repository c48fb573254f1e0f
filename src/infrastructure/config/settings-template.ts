const BODY = `# Settings of the Castellan server. Every key is optional; what stands here commented is an example.
# What tools may do is not said here but in permissions.yaml. Flags and variables win over this file.

tool_prefix: "" # put before every tool's name; MCP_TOOL_PREFIX wins
tool_descriptions: concise # concise: only what a model needs | full: four sections a tool
answers: text # text: what a model can afford | envelope: JSON with output schemas; CASTELLAN_ANSWERS wins
answer_tokens: 8000 # of one text answer, estimated; what is cut says how to get the rest
error_style: result # result: failures the model can read | rpc: JSON-RPC errors

# project: { name: my-project }

# Folders of documents. The names adr, patterns and guidelines say how they are read; \`kind\` says it for others.
# categories:
#   guidelines: { dir: docs/guidelines, patterns: ["**/*.md"], description: How we write code }
#   adr:        { dir: docs/adr, patterns: ["*.md"], enabled_by: { "drafts/**": show-drafts } }
#   handbook:   { dir: docs/handbook, kind: documents }

# Names for several categories, or parts of them.
# collections: { onboarding: [guidelines, "adr/0001*"] }

# prompts: { dir: prompts }    # JSON files, read again when they change

# Which tools there are, by name or category; the policy still decides about each call.
# "sets" narrows the list: files, commands, knowledge, flags, meta, ai. The others can still be called.
# tools: { exclude: [ai], sets: [files, commands], enabled_by: { write_file: writing } }

# What flags may hold, as JSON Schema.
# flags: { schemas: { colour: { enum: [red, blue] } } }

log: { level: info } # trace, debug, info, warn, error, silent; CASTELLAN_LOG_LEVEL wins

# http: { host: 127.0.0.1, port: 7337 }     # for castellan serve --http; docs/reference/settings.md has every key
# files: { read_bytes: 100000 }  # how much of a file one answer shows
# claude: { model: claude-sonnet-5-5, max_tokens: 4096 }
# redis: { url: "redis://127.0.0.1:6379" }  # absent: everything embedded; CASTELLAN_REDIS_URL wins
`;

/** castellan.yaml as `init` writes it; editors complete it by the schema. */
export function settingsTemplate(schema = './node_modules/castellan/config/castellan.schema.json'): string {
  return `# yaml-language-server: $schema=${schema}\n\n${BODY}`;
}
