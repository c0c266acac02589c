/** @type {import('next').NextConfig} */
const config = {
  poweredByHeader: false,
  reactStrictMode: true,
  serverExternalPackages: ['better-sqlite3', 'pg'],
  devIndicators: false,
  // pages have a policy of their own (proxy.ts); answers of the API are data, whoever opens them
  headers: async () => [
    { source: '/:path*', headers: [{ key: 'x-content-type-options', value: 'nosniff' }] },
    {
      source: '/api/:path*',
      headers: [{ key: 'content-security-policy', value: "default-src 'none'; frame-ancestors 'none'" }],
    },
  ],
}
export default config
