# DCTCP's web search with longer elephants: bytes, and the share of sizes up to that. The largest flow is 100 MB instead of
# 30 MB, and one in ten is larger than 5 MB, as there.
1 0
10000 0.15
20000 0.20
30000 0.30
50000 0.40
80000 0.53
200000 0.60
1000000 0.70
2000000 0.80
5000000 0.90
30000000 0.97
100000000 1
