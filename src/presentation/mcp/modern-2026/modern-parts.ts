import type { CallerSessions } from '../../../application/session/caller-sessions.js';
import type { ListToolsHandler } from '../../../application/tool/list-tools.js';
import type { ClientNotices } from '../surface/client-notices.js';
import type { ProtocolOptions } from '../surface/protocol-options.js';
import type { ProtocolSurface } from '../surface/protocol-surface.js';
import type { StateBinding } from './state-binding.js';

/** What the revision is served from. */
export interface ModernParts {
  readonly surface: ProtocolSurface;
  readonly options: ProtocolOptions;
  readonly callers: CallerSessions;
  readonly notices: ClientNotices;
  readonly binding: StateBinding;
  readonly tools: ListToolsHandler;
}
