export const planted = 'composition';
