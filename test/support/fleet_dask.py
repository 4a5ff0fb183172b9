"""Runs tasks over the workers of Dask: fleet_dask.py TASKS WORKERS BLOCK COMMAND…  The answers go to stdout, a line each."""
import subprocess
import sys

import dask.bag as db
from distributed import Client, LocalCluster

path, workers, block, *command = sys.argv[1:]


def answer(lines):
    run = subprocess.run(command, input="\n".join(lines), text=True, capture_output=True, check=True)
    return run.stdout.splitlines()


if __name__ == "__main__":
    with open(path, encoding="utf-8") as file:
        tasks = file.read().splitlines()
    cluster = LocalCluster(n_workers=int(workers), threads_per_worker=1, dashboard_address=None)
    with cluster, Client(cluster) as client:
        bag = db.from_sequence(tasks, partition_size=int(block)).map_partitions(answer)
        print("\n".join(client.compute(bag, retries=3).result()))
