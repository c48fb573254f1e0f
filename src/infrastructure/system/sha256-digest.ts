import { createHash } from 'node:crypto';
import type { TextDigest } from '../../domain/canonical-json.js';

export const sha256Digest: TextDigest = (text) => createHash('sha256').update(text).digest('hex');
