/** Rounds a share to percent, so that 0 % means none, and 100 % all. */
export function roundShare(share: number): number {
  if (share === 0 || share === 1) return share
  return Math.min(99, Math.max(1, Math.round(share * 100))) / 100
}
