import time,sys
from rdkit import Chem, RDLogger
RDLogger.DisableLog('rdApp.*')
t=time.process_time(); n=0
for m in Chem.SDMolSupplier('/tmp/w/b3.sdf',sanitize=False,removeHs=False): n+=1
print(n,time.process_time()-t)
