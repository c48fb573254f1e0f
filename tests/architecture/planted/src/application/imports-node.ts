import { createHash } from 'node:crypto';

export const planted = createHash;
