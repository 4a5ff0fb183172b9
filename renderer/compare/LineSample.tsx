/** The line that a policy has in the chart: A in ink, B dashed. */
export function LineSample({ side }: { readonly side: 'a' | 'b' }) {
  return (
    <svg className="line-sample" width={20} height={8} aria-hidden="true" data-side={side}>
      <path d="M0 4H20" />
    </svg>
  );
}
