import { other } from './cycle-two.js';

export const planted = () => other;
