import { Component, ElementRef, provideZonelessChangeDetection, signal, viewChild } from "@angular/core";
import { bootstrapApplication, Title } from "@angular/platform-browser";
import { inject } from "@angular/core";
import { ActivatedRoute, provideRouter, Router, RouterLink, RouterOutlet } from "@angular/router";

interface Item {
  slug: string;
  name: string;
  text: string;
}

const part = async (kind: string, offset = 0, limit = 12): Promise<{ items: Item[]; total: number }> =>
  (await fetch(`/api/${kind}?offset=${offset}&limit=${limit}`)).json();

@Component({ template: "<h1>A shop</h1>" })
class Home {}

@Component({
  imports: [RouterLink],
  template: `
    <h1>Lamps</h1>
    <p>{{ items().length }} of {{ total() }}</p>
    <ul>
      @for (item of items(); track item.slug) {
        <li style="height: 9rem"><a [routerLink]="['/lamps', item.slug]">{{ item.name }}</a></li>
      }
    </ul>
    <div #end></div>
  `,
})
class Lamps {
  items = signal<Item[]>([]);
  total = signal(1);
  end = viewChild.required<ElementRef<HTMLElement>>("end");
  #observer?: IntersectionObserver;
  #isBusy = false;

  ngAfterViewInit() {
    this.#observer = new IntersectionObserver(async ([entry]) => {
      if (!entry.isIntersecting || this.#isBusy || this.items().length >= this.total()) return;
      this.#isBusy = true;
      const { items, total } = await part("lamps", this.items().length);
      this.items.update((known) => [...known, ...items]);
      this.total.set(total);
      this.#isBusy = false;
    });
    this.#observer.observe(this.end().nativeElement);
  }

  ngOnDestroy() {
    this.#observer?.disconnect();
  }
}

@Component({
  imports: [RouterLink],
  template: `
    <h1>Chairs</h1>
    <ul>
      @for (item of items(); track item.slug) {
        <li><a [routerLink]="['/chairs', item.slug]">{{ item.name }}</a></li>
      }
    </ul>
    @if (items().length < total()) {
      <button (click)="more()">Load more</button>
    }
  `,
})
class Chairs {
  items = signal<Item[]>([]);
  total = signal(0);

  constructor() {
    this.more();
  }

  async more() {
    const { items, total } = await part("chairs", this.items().length);
    this.items.update((known) => [...known, ...items]);
    this.total.set(total);
  }
}

@Component({
  template: `
    <h1>Makers</h1>
    @for (item of items(); track item.slug) {
      <div role="button" tabindex="0" (click)="router.navigate(['/makers', item.slug])">
        <h3>{{ item.name }}</h3>
      </div>
    }
  `,
})
class Makers {
  router = inject(Router);
  items = signal<Item[]>([]);

  constructor() {
    part("makers", 0, 100).then(({ items }) => this.items.set(items));
  }
}

@Component({
  template: `
    @if (item(); as found) {
      <h1>{{ found.name }}</h1>
      <p>{{ found.text }}</p>
    }
  `,
})
class Product {
  item = signal<Item | undefined>(undefined);

  constructor() {
    const { kind, slug } = inject(ActivatedRoute).snapshot.params;
    const title = inject(Title);
    part(kind, 0, 100).then(({ items }) => {
      const found = items.find((each) => each.slug === slug);
      this.item.set(found);
      title.setTitle(found?.name ?? "Not found");
    });
  }
}

@Component({
  selector: "app-shop",
  imports: [RouterLink, RouterOutlet],
  template: `
    <nav>
      <a routerLink="/">Home</a> <a routerLink="/lamps">Lamps</a> <a routerLink="/chairs">Chairs</a>
      <a routerLink="/makers">Makers</a>
    </nav>
    <main><router-outlet /></main>
  `,
})
class Shop {}

bootstrapApplication(Shop, {
  providers: [
    provideZonelessChangeDetection(),
    provideRouter([
      { path: "", component: Home, title: "A shop" },
      { path: "lamps", component: Lamps, title: "Lamps" },
      { path: "chairs", component: Chairs, title: "Chairs" },
      { path: "makers", component: Makers, title: "Makers" },
      { path: ":kind/:slug", component: Product },
    ]),
  ],
});
