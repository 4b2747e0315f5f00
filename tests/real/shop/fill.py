"""Make the shop's database: 600 products named by codes in two categories."""

import os
import random

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "settings"
django.setup()

from django.core.management import call_command  # noqa: E402
from django.db import transaction  # noqa: E402
from oscar.apps.catalogue.categories import create_from_breadcrumbs  # noqa: E402
from oscar.apps.catalogue.models import Product, ProductCategory, ProductClass  # noqa: E402
from oscar.apps.partner.models import Partner, StockRecord  # noqa: E402

PRODUCTS = 600

call_command("migrate", run_syncdb=True, verbosity=0)
chance = random.Random("shop")
codes = [f"{a}{b}" for a in "ABCDEFGH" for b in "ABCDEFGH"]
kind = ProductClass.objects.create(name="Part", track_stock=False)
categories = [create_from_breadcrumbs(name) for name in ("Bearings", "Seals")]
partner = Partner.objects.create(name="Warehouse")
products, places, stock = [], [], []
for number in range(PRODUCTS):
    name = f"{chance.choice(codes)}-{1000 + number * 7}"
    upc = f"{4000000 + number}"
    product = Product(id=number + 1, title=name, slug=name.lower(), upc=upc, product_class=kind)
    products.append(product)
    places.append(ProductCategory(product=product, category=categories[number % 2]))
    price = chance.randint(100, 9999) / 100
    stock.append(StockRecord(product=product, partner=partner, partner_sku=name, price=price))
with transaction.atomic():
    for model, rows in ((Product, products), (ProductCategory, places), (StockRecord, stock)):
        model.objects.bulk_create(rows)
call_command("rebuild_index", interactive=False, verbosity=0)
